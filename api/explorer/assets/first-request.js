// The page contains this script. It sends the request of the first screen while the other scripts are loaded, with the key that
// the browser keeps or the link contains (see key.ts).
{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const { request = '', guests } = script.dataset;
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  const key = given || localStorage.getItem('historical-observations-key');
  const headers = key ? { Authorization: `Bearer ${key}` } : undefined;
  if (key || guests || request.startsWith('/v1/history/archive')) {
    const response = fetch(request, { ...(headers && { headers }), cache: 'no-cache' });
    Object.assign(globalThis, { firstRequest: { url: request, response } });
  }
}
