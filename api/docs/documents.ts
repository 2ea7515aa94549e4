import { type Documents, readDocument } from '../http/document.ts';

/** The documents of the interface by their paths. */
export async function loadDocuments(): Promise<Documents> {
  const asset = (name: string) => readDocument(new URL(`assets/${name}`, import.meta.url));
  return { '/assets/theme.css': await asset('theme.css') };
}
