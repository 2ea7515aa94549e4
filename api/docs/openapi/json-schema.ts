/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses too; or another object of an OpenAPI document. */
export type JsonObject = { readonly [name: string]: JsonValue };
export type JsonValue = string | number | boolean | JsonObject | readonly JsonValue[];

export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object whose properties are all present, except those named as optional. */
export function objectSchema(properties: JsonObject, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}
