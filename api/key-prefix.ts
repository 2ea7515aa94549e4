/** How every API key begins. It shows a reader of a log or a repository which service the key belongs to. */
export const KEY_PREFIX = 'hist_';
