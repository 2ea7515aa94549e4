/**
 * When the sun is below the horizon, to within a few minutes: uses the declination and equation of time of NOAA's solar
 * calculator in short form.
 *
 * @param {number} latitude
 * @param {number} longitude
 * @param {number} from in milliseconds
 * @param {number} to
 * @returns {{ from: number, to: number }[]}
 */
export function nights(latitude, longitude, from, to) {
  const step = 10 * 60_000;
  /** @type {{ from: number, to: number }[]} */
  const found = [];
  for (let time = from; time < to; time += step) {
    if (sunElevation(latitude, longitude, time) > -0.83) continue;
    const last = found.at(-1);
    if (last?.to === time) last.to = time + step;
    else found.push({ from: time, to: time + step });
  }
  return found;
}

/** In degrees. @param {number} latitude @param {number} longitude @param {number} time */
export function sunElevation(latitude, longitude, time) {
  const date = new Date(time);
  const hours = (time % 86_400_000) / 3_600_000;
  const days = (time - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000;
  const year = (2 * Math.PI * (days - 0.5)) / 365.25;
  const equation =
    229.18 *
    (0.000075 +
      0.001868 * Math.cos(year) -
      0.032077 * Math.sin(year) -
      0.014615 * Math.cos(2 * year) -
      0.040849 * Math.sin(2 * year));
  const declination =
    0.006918 -
    0.399912 * Math.cos(year) +
    0.070257 * Math.sin(year) -
    0.006758 * Math.cos(2 * year) +
    0.000907 * Math.sin(2 * year);
  const radians = Math.PI / 180;
  const hourAngle = (hours * 15 + equation / 4 + longitude - 180) * radians;
  const height =
    Math.sin(latitude * radians) * Math.sin(declination) +
    Math.cos(latitude * radians) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.asin(height) / radians;
}
