import type { PARAMETERS } from '../../../api/contract/parameters.ts';

/** Texts of values near the border between valid and invalid: the valid ones first. */
export const PARAMETER_TEXTS: Readonly<Record<keyof typeof PARAMETERS, string>> = {
  stations: `XAAA|XAAA,XAAB|XAAA,XAAA|xaaa|XAAA,|XAA'|XAA\\|XAA{|{stations:String}|`,
  from: `2024-01-01T00:00:00Z|0000-01-01T00:00:00Z|2024-02-30T00:00:00Z|9999-12-31T23:59:59.999999Z|1e9`,
  to: `2024-02-01T00:00:00Z|9999-12-31T23:59:59.999999Z|2106-02-07T06:28:16Z|1969-12-31T23:59:59Z`,
  hours: `1|8784|0|8785|1.5|-1`,
  type: `all|metar|speci|METAR|' OR 1|`,
  include: `raw|decoded|decoded,raw|raw,raw|*|,`,
  filter: `temp_c < 10|wx IS NULL OR NOT (ceiling_ft <= 500)|raw LIKE '%'|temp_c <|x = 1|'|`,
  fields: `temp_c|temp_f,ceiling_ft|temp_c,temp_c|crosswind(40;gust)|raw|temp_kt|crosswind(400)|`,
  order: `asc|desc|DESC|newest|`,
  of: `reports|x|`,
  select: `count|mean(temp_c),max(wgst_kt)|p95(temp_c)|resultant(wdir)|mean(raw)|mean(wdir)|highest(temp_c)|count(|`,
  preset: `wind-rose|x|`,
  by: `month|year,hour|station|x|`,
  sample: `auto|hourly|all|x`,
  tz: `Europe/Berlin|UTC|../etc|`,
  times: `utc|local|standard|`,
  country: `DE|de|DEU|D'`,
  bbox: `-10,50,10,60|170,-20,-170,0|0,0|1,2,3,1e309|-181,0,0,0|,,,`,
  q: `x|%|'|\\|{q:String}||${'a'.repeat(65)}`,
  near: `50,8|90,-180|91,0|1,2,3|NaN,0|0,0'|`,
  radius_km: `1|46.3|1000|0|1e2|-0`,
  nearest: `1|1000|0|1001|1.5`,
  limit: `1|1000|007|%31|10001|0|-0|1e3|4294967297|NaN`,
  cursor: `|A|${'A'.repeat(36)}|${'AWWSDOxYQUFB'.repeat(3)}|%00|${'-'.repeat(36)}`,
};
