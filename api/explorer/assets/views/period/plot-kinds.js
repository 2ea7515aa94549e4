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

/** Days: least, mean and greatest. @type {Plot[]} */
export const DAY_PLOTS = [
  {
    title: 'Temperature and dew point by day',
    scaleOptions: {},
    curves: [
      ...band('temperature', 'temperature', '--plot-1', AXES.celsius),
      { label: 'mean dew point', values: 'dewPointMean', color: '--plot-2', ...AXES.celsius },
    ],
  },
  {
    title: 'Wind and gusts by day',
    scaleOptions: FROM_ZERO,
    curves: [
      ...band('wind', 'wind', '--plot-2', AXES.knots),
      { label: 'strongest gust', values: 'gustHighest', color: '--plot-1', ...AXES.knots, kind: 'points' },
    ],
  },
  {
    title: 'Pressure (QNH) by day',
    scaleOptions: {},
    curves: band('pressure', 'pressure', '--plot-3', AXES.hectopascal),
  },
  {
    title: 'Visibility and ceiling by day',
    scaleOptions: LOGARITHMIC,
    curves: [
      ...band('visibility', 'visibility', '--plot-2', AXES.metre),
      { label: 'lowest ceiling', values: 'ceilingLowest', color: '--plot-1', ...AXES.feet, kind: 'points' },
    ],
  },
];

/**
 * @param {string} label
 * @param {import('../../state/values.js').ValueName} value
 * @param {string} color
 * @param {Pick<Curve, 'unit' | 'scale'>} axis
 * @returns {Curve[]}
 */
function band(label, value, color, axis) {
  return [
    { label: `lowest ${label}`, values: `${value}Lowest`, color, ...axis, kind: 'edge' },
    { label: `highest ${label}`, values: `${value}Highest`, color, ...axis, kind: 'edge' },
    { label: `mean ${label}`, values: `${value}Mean`, color, ...axis },
  ];
}
