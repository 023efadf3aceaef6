/** Topics of which the other processes on the same store hear, too, where the store can tell them. */
import { createTopic, type Topic } from '../../base/values/topic.js';
import type { StoreHints } from '../../store/store.js';

interface SharedTopics<Name extends string> {
  readonly topics: Readonly<Record<Name, Topic>>;
  /** Tells here what other processes have changed. @returns a function that ends it. */
  hearOthers(): () => Promise<void>;
}

/** @param hints null where every process is alone. */
export function createSharedTopics<Name extends string>(
  hints: StoreHints | null,
  names: readonly Name[],
): SharedTopics<Name> {
  const own = new Map<string, Topic>(names.map((name) => [name, createTopic()]));
  const shared = [...own].map(([topic, here]): [string, Topic] => {
    const tell = (id: string) => {
      here.tell(id);
      hints?.send({ topic, id });
    };
    return [topic, { ...here, tell }];
  });
  return {
    topics: Object.fromEntries(shared) as Record<Name, Topic>,
    hearOthers: () => hints?.listen(({ topic, id }) => own.get(topic)?.tell(id, false)) ?? (async () => {}),
  };
}
