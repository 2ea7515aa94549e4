/**
 * A line, points where the values between two reports are not known, or a band from the curve before to this one.
 *
 * @typedef {{ label: string, values: string, color: string, unit: string, scale: string, kind?: 'points' | 'edge' }} Curve
 * @typedef {{ title: string, curves: Curve[], scaleOptions: import('uplot').Scale }} Plot
 */

/** @type {import('uplot').Scale} */
const FROM_ZERO = { range: { min: { pad: 0, soft: 0, mode: 1 }, max: { pad: 0.1, soft: 10, mode: 1 } } };
/** @type {import('uplot').Scale} */
const LOGARITHMIC = { distr: 3 };

/** @type {Record<'celsius' | 'knots' | 'hectopascal' | 'metre' | 'feet', Pick<Curve, 'unit' | 'scale'>>} */
const AXES = {
  celsius: { unit: '°C', scale: 'c' },
  knots: { unit: 'kt', scale: 'kt' },
  hectopascal: { unit: 'hPa', scale: 'hpa' },
  metre: { unit: 'm', scale: 'm' },
  feet: { unit: 'ft', scale: 'ft' },
};

/** Each report. @type {Plot[]} */
export const REPORT_PLOTS = [
  {
    title: 'Temperature and dew point',
    scaleOptions: {},
    curves: [
      { label: 'temperature', values: 'temperature', color: '--plot-1', ...AXES.celsius },
      { label: 'dew point', values: 'dewPoint', color: '--plot-2', ...AXES.celsius },
    ],
  },
  {
    title: 'Wind and gusts',
    scaleOptions: FROM_ZERO,
    curves: [
      { label: 'wind', values: 'wind', color: '--plot-2', ...AXES.knots },
      { label: 'gust', values: 'gust', color: '--plot-1', ...AXES.knots, kind: 'points' },
    ],
  },
  {
    title: 'Pressure (QNH)',
    scaleOptions: {},
    curves: [{ label: 'pressure', values: 'pressure', color: '--plot-3', ...AXES.hectopascal }],
  },
  {
    title: 'Visibility and ceiling',
    scaleOptions: LOGARITHMIC,
    curves: [
      { label: 'visibility', values: 'visibility', color: '--plot-2', ...AXES.metre },
      { label: 'ceiling', values: 'ceiling', color: '--plot-1', ...AXES.feet, kind: 'points' },
    ],
  },
];

/** Days: least, mean and greatest, as columns of the statistics. @type {Plot[]} */
export const DAY_PLOTS = [
  {
    title: 'Temperature and dew point by day',
    scaleOptions: {},
    curves: [
      ...band('temperature', 'temp_c', '--plot-1', AXES.celsius),
      { label: 'mean dew point', values: 'mean_dewp_c', color: '--plot-2', ...AXES.celsius },
    ],
  },
  {
    title: 'Wind and gusts by day',
    scaleOptions: FROM_ZERO,
    curves: [
      ...band('wind', 'wspd_kt', '--plot-2', AXES.knots),
      { label: 'strongest gust', values: 'max_wgst_kt', color: '--plot-1', ...AXES.knots, kind: 'points' },
    ],
  },
  {
    title: 'Pressure (QNH) by day',
    scaleOptions: {},
    curves: band('pressure', 'altim_hpa', '--plot-3', AXES.hectopascal),
  },
  {
    title: 'Visibility and ceiling by day',
    scaleOptions: LOGARITHMIC,
    curves: [
      ...band('visibility', 'visib_m', '--plot-2', AXES.metre),
      { label: 'lowest ceiling', values: 'min_ceiling_ft', color: '--plot-1', ...AXES.feet, kind: 'points' },
    ],
  },
];

/**
 * @param {string} label
 * @param {string} field
 * @param {string} color
 * @param {Pick<Curve, 'unit' | 'scale'>} axis
 * @returns {Curve[]}
 */
function band(label, field, color, axis) {
  return [
    { label: `lowest ${label}`, values: `min_${field}`, color, ...axis, kind: 'edge' },
    { label: `highest ${label}`, values: `max_${field}`, color, ...axis, kind: 'edge' },
    { label: `mean ${label}`, values: `mean_${field}`, color, ...axis },
  ];
}
