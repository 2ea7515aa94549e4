type Work = () => Promise<unknown>;

const works: Work[] = [];

/** Adds what the first process of a run has to do at its end; the other processes are ended. */
export function atEndOfRun(work: Work): void {
  works.push(work);
}

export async function endRun(): Promise<void> {
  for (const work of works.splice(0)) await work();
}
