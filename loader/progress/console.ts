import type { LogFormat } from './display.ts';
import { formatLine } from './log-lines.ts';

export type Log = (line: string) => void;

/** Prints results to standard output, and messages to standard error: above the progress bars while there are any. */
export class ConsoleOutput {
  private readonly results: NodeJS.WritableStream;
  private readonly messages: NodeJS.WritableStream;
  private format: LogFormat = 'text';
  private display: Log | undefined;

  constructor(results: NodeJS.WritableStream, messages: NodeJS.WritableStream) {
    this.results = results;
    this.messages = messages;
  }

  /** Sets the format of lines from now on. */
  useFormat(format: LogFormat): void {
    this.format = format;
  }

  readonly print: Log = (line) => void this.results.write(`${formatLine(this.format, 'result', line)}\n`);

  readonly log: Log = (line) => {
    if (this.display === undefined) this.messages.write(`${formatLine(this.format, 'message', line)}\n`);
    else this.display(line);
  };

  /** Until the work ends, `log`, from its display, prints messages. */
  async track<T>(log: Log, work: Promise<T>): Promise<T> {
    this.display = log;
    try {
      return await work;
    } finally {
      this.display = undefined;
    }
  }
}
