/** The base of the stores: a state in memory and the journal from which it comes again. */
import type { Journal, JournalState, OpenJournal, Recovery } from './journal.js';

export abstract class Journaled<R, S extends JournalState<R>> {
  /** What was found when the file was opened. */
  readonly recovery: Recovery;
  protected readonly state: S;
  protected readonly journal: Journal<R>;

  constructor({ state, journal, recovery }: OpenJournal<R, S>) {
    this.state = state;
    this.journal = journal;
    this.recovery = recovery;
  }

  close(): Promise<void> {
    return this.journal.close();
  }

  /** Counts in memory also when the disk takes no writes. Returns false in that case. */
  protected async keep(record: R): Promise<boolean> {
    return this.journal.append(record).then(
      () => true,
      () => {
        this.state.apply(record);
        return false;
      },
    );
  }
}
