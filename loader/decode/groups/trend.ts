import { digits } from '../characters.ts';

/**
 * Where the report ends and a forecast begins: NOSIG, BECMG, TEMPO (WMO-No. 306 FM 15, 15.14), and with them PROBnn,
 * FMhhmm, INTER, which Australia and others take over from their terminal forecasts (FM 51). What follows describes
 * another time, so none of it is read as an observation.
 */
export function beginsTrend(token: string): boolean {
  switch (token[0]) {
    case 'N':
      return token === 'NOSIG';
    case 'B':
      return token === 'BECMG';
    case 'T':
      return token === 'TEMPO';
    case 'I':
      return token === 'INTER';
    case 'P':
      return token.startsWith('PROB') && token.length === 6 && digits(token, 4, 6) !== -1;
    case 'F':
      return token[1] === 'M' && isTime(token);
    default:
      return false;
  }
}

const isTime = (token: string): boolean =>
  (token.length === 6 || token.length === 8) && digits(token, 2, token.length) !== -1;
