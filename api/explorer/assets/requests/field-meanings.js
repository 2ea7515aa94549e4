/**
 * What each decoded field means, with its unit, by its name. Empty where the schema cannot be read: the page works without
 * these texts.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function readFieldMeanings() {
  try {
    const response = await fetch('/schema/decoded.json');
    /** @type {{ properties: Record<string, { description: string, 'x-unit'?: string }> }} */
    const { properties } = await response.json();
    return Object.fromEntries(
      Object.entries(properties).map(([name, { description, 'x-unit': unit }]) => {
        // The guide marks values as code.
        const meaning = description.replaceAll('`', '');
        return [name, unit === undefined ? meaning : `${meaning} (${unit})`];
      }),
    );
  } catch {
    return {};
  }
}
