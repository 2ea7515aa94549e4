/** A part of a parameter. */
type ListItem = {
  readonly text: string;
  /** Characters before it. */
  readonly offset: number;
};

/** The items of a list between commas that stand in no parentheses and in no quoted text. */
export function splitList(list: string): readonly ListItem[] {
  const items: ListItem[] = [];
  let [begin, depth, isQuoted] = [0, 0, false];
  const add = (end: number) => {
    const text = list.slice(begin, end);
    items.push({ text: text.trim(), offset: begin + text.length - text.trimStart().length });
    begin = end + 1;
  };
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at];
    if (character === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth <= 0) add(at);
  }
  add(list.length);
  return items;
}
