import type { LogFormat } from '../config.ts';
import { formatLine, type Log, type Screen, screenOn } from './display.ts';

/** Prints results to standard output, and messages to standard error: above the progress bars while there are any. */
export class ConsoleOutput {
  private readonly results: NodeJS.WritableStream;
  private readonly messages: NodeJS.WritableStream;
  private format: LogFormat = 'text';
  private screen: Screen | undefined;

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
    if (this.screen === undefined) this.messages.write(`${formatLine(this.format, 'message', line)}\n`);
    else this.screen.log(line);
  };

  /** Shows the progress of work until it ends. */
  async showProgress<T>(work: (screen: Screen) => Promise<T>): Promise<T> {
    const screen = screenOn(this.messages, this.format);
    this.screen = screen;
    try {
      return await work(screen);
    } finally {
      this.screen = undefined;
      screen.end();
    }
  }
}
