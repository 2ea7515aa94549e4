import { byId, element } from '../../element.js';
import { latestRun } from '../../requests/latest-run.js';
import { download } from './downloads.js';

const FORMATS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet', arrow: 'Arrow' };
const MB = 1_000_000;

/**
 * A button for each format, and what becomes of the download beside them.
 *
 * @param {import('../../requests/api-client.js').ApiClient} client
 * @param {(error: unknown, again: () => void) => void} onError
 */
export function createDownloadView(client, onError) {
  const status = byId('download-status', HTMLParagraphElement);
  /** @type {{ request: import('../../state/observation-request.js').ObservationRequest, plan: string } | undefined} */
  let shown;
  const run = latestRun((error, again) => {
    status.textContent = 'The download failed: the message at the top of the page says why.';
    onError(error, again);
  });
  byId('downloads', HTMLDivElement).replaceChildren(
    ...Object.entries(FORMATS).map(([format, name]) => {
      const button = element('button', { type: 'button', 'data-format': format }, name);
      button.addEventListener('click', () => run((signal) => start(format, name, signal)));
      return button;
    }),
  );

  /**
   * @param {string} format
   * @param {string} name
   * @param {AbortSignal} signal
   */
  async function start(format, name, signal) {
    if (shown === undefined) return;
    const { request, plan } = shown;
    const title = `${name} of ${request.stations}, ${request.from.slice(0, 10)} to ${request.to.slice(0, 10)}`;
    status.textContent = `Downloading ${title}.`;
    const files = await download(client, request, format, plan, signal, (bytes) => {
      const text = `Downloading ${title}: ${(bytes / MB).toFixed(1)} MB.`;
      if (!signal.aborted && status.textContent !== text) status.textContent = text;
    });
    status.textContent = `Downloaded ${title}${files === 1 ? '' : `, in ${files} files`}.`;
  }

  return {
    /**
     * @param {import('../../state/observation-request.js').ObservationRequest} request
     * @param {string} plan
     */
    show(request, plan) {
      shown = { request, plan };
    },
  };
}
