import type { Guide } from './guides.ts';

/** Replaced by the address that the reader used: see `api/http/response/documents.ts`. */
const SERVICE = 'http://127.0.0.1:8080';

/** `/llms.txt` in the format of llmstxt.org: what the service is, and where its documents are. */
export function llmsText(guides: readonly Guide[]): string {
  const entries = guides.map(
    ({ name, title, summary }) => `- [${title}](${SERVICE}/docs/${name}.md): ${summary}`,
  );
  return `# Historical observations

> A read-only HTTP interface to archived METAR and SPECI weather reports of aerodromes, from 2005-01-01 on.

Requests of the archive need an API key in the header \`Authorization: Bearer <API_KEY>\`. The documents need none.

## Guides

${entries.join('\n')}

## Reference

- [OpenAPI 3.1](${SERVICE}/openapi.json): every path, parameter, field and error
- [Schema of a record](${SERVICE}/schema/observation.json): JSON Schema of the elements of \`data\`
- [Schema of decoded fields](${SERVICE}/schema/decoded.json): JSON Schema of \`decoded\` with the unit of each field
`;
}
