/** @param {number} share */
export function percent(share) {
  return `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
}

/** @param {number} value */
export function tenths(value) {
  return Math.round(value * 10) / 10;
}
