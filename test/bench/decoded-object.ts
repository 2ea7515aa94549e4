import { columnType, FIELD_COLUMNS } from '../../clickhouse/model/field-columns.ts';
import { DECODED_FIELDS } from '../../clickhouse/model/fields.ts';

const FIELDS = DECODED_FIELDS.flatMap(({ name }) => FIELD_COLUMNS.get(name) ?? []);
const TYPE = `Tuple(${FIELDS.map((field) => `${field.name} ${columnType(field)}`).join(', ')})`;

/** An expression over a row of `observations`: the decoded fields by name, which ClickHouse prints as an object. */
export const DECODED_OBJECT = `CAST(tuple(${FIELDS.map(({ name }) => name).join(', ')}), '${TYPE.replaceAll("'", "\\'")}')`;
