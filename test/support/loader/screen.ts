import { Writable } from 'node:stream';

/** A terminal with the control sequences that the progress bars use. `lines` is its screen. */
export class Screen extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  private readonly cells: string[][] = [[]];
  private row = 0;
  private column = 0;

  constructor(columns: number) {
    super({ decodeStrings: false });
    this.columns = columns;
  }

  get lines(): readonly string[] {
    const lines = this.cells.map((cells) =>
      Array.from(cells, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    const [plain = '', ...controls] = text.split('\x1b[');
    for (const character of plain) this.print(character);
    for (const control of controls) {
      // ECMA-48: CSI, a number, a letter.
      const [whole = '', count, letter = ''] = /^\??(\d*)([A-Za-z])/.exec(control) ?? [];
      this.control(letter, count === '' ? undefined : Number(count));
      for (const character of control.slice(whole.length)) this.print(character);
    }
    done();
  }

  private print(character: string): void {
    if (character === '\n') {
      this.moveDown();
      return;
    }
    if (this.column === this.columns) this.moveDown();
    this.line[this.column] = character;
    this.column += 1;
  }

  private control(letter: string, count: number | undefined): void {
    if (letter === 'A') this.row -= count ?? 1;
    else if (letter === 'G') this.column = (count ?? 1) - 1;
    else if (letter === 'J') {
      this.cells.length = this.row + 1;
      this.line.length = this.column;
    } else if (letter === 'K') this.line.length = count === 2 ? 0 : this.column;
    else throw new Error(`unknown control sequence: CSI ${count ?? ''} ${letter}`);
  }

  private get line(): string[] {
    const line = this.cells[this.row] ?? [];
    this.cells[this.row] = line;
    return line;
  }

  private moveDown(): void {
    this.row += 1;
    this.column = 0;
    this.cells[this.row] ??= [];
  }
}
