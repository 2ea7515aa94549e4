/** The endpoints that metrics tell apart. The label has no other values, whatever clients request. */
const HISTORY = ['observations', 'hourly', 'statistics', 'coverage', 'stations', 'archive'];
const OPERATIONS = ['/healthz', '/readyz', '/metrics'];
const DOCUMENTS = /^\/($|docs(\/|$)|assets\/|schema\/|client\/|openapi\.json$|llms\.txt$)/;

/** @returns the endpoint of a path, `operations`, `documents` or `other` */
export function endpointOf(path: string): string {
  const [, name = ''] = /^\/v1\/history\/(\w+)(?:\.\w+)?$/.exec(path) ?? [];
  if (HISTORY.includes(name)) return name;
  if (OPERATIONS.includes(path)) return 'operations';
  return DOCUMENTS.test(path) ? 'documents' : 'other';
}
