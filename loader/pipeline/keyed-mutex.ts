/** Works on one thing at a time, each kind of thing in the order of asking. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(of: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(of) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(work);
    this.last.set(of, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(of) === mine) this.last.delete(of);
    }
  }
}
