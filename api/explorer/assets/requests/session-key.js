const NAME = 'historical-observations-key';

/** The key lives in this tab until it is closed: it is in no URL, no cookie and no file of the browser. */
export const sessionKey = {
  /** @returns {string | undefined} */
  read: () => sessionStorage.getItem(NAME) ?? undefined,
  /** @param {string} key */
  write: (key) => sessionStorage.setItem(NAME, key),
  forget: () => sessionStorage.removeItem(NAME),
};
