import { newRoster, type Place } from '../../lib/linked-list.ts';
import { isConnectionLost } from './unavailable.ts';

export type Bounds = {
  /** How long whoever asks waits while the database answers nobody, milliseconds. */
  readonly patienceMs: number;
  /** How long whoever asks waits for his turn, and for an answer, while it answers others, milliseconds. */
  readonly turnMs: number;
  readonly answerMs: number;
  /** The most questions that are put to the database at once; the others wait their turn. */
  readonly atOnce: number;
  /** The most that wait; who comes then is refused at once. */
  readonly mostWaiting: number;
};

type Asking = {
  /** Puts it to the database. */
  readonly ask: () => void;
  /** Whether the database is at it; else it stands behind another one on its connection. */
  readonly isActive: () => boolean;
  /** Tells whoever asked that there will be no answer. */
  readonly refuse: (error: Error) => void;
};

/** A question and what has become of it; `since` is in ticks. */
export type Question = Asking & {
  since: number;
  state: 'new' | 'waiting' | 'asked' | 'settled';
  /** Where it stands among those that somebody waits for, and among those that wait for their turn. */
  awaited?: Place<Question>;
  waiting?: Place<Question>;
};

/** Refused for the moment: the database is away, does not answer in time, or too many ask. */
class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
  readonly code = 'STORE_BUSY';
}

export type QuestionGate = {
  readonly put: (asking: Asking) => Question;
  readonly admit: (question: Question) => void;
  /** The database has settled it, whether anybody still waits or not. */
  readonly answered: (question: Question) => void;
  readonly failed: (question: Question, error: unknown) => void;
  /** Rejects when something that is asked otherwise takes longer than a question may. */
  readonly inTime: <T>(work: Promise<T>) => Promise<T>;
};

/** The unit of its time: a process that was busy for a while counts one of these, so that no answer that has come meanwhile is missed. */
const TICK_MS = 50;
const inTicks = (ms: number): number => Math.max(1, Math.ceil(ms / TICK_MS));
/** How long after a sign of life was asked for in vain the next one is, and how long none may come before it is asked for beside it. */
const PING_TICKS = inTicks(200);
const SILENT_PING_TICKS = inTicks(2000);

/**
 * Decides which questions are put to a database and which are refused. `ping` asks it for a sign of life: one question can take its time
 * while others are answered, but nobody waits long for a database that answers nobody. A connection that is lost makes it doubt, and
 * questions wait for a sign of life; when none comes the database is away, and all are refused at once until there is one.
 */
export const newQuestionGate = (
  { patienceMs, turnMs, answerMs, atOnce, mostWaiting }: Bounds,
  ping: () => Promise<unknown>,
): QuestionGate => {
  /** Questions that somebody waits for, oldest first. */
  const awaited = newRoster<Question>();
  const waiting = newRoster<Question>();
  let asked = 0;
  let belief: 'well' | 'doubt' | 'away' = 'well';
  let ticks = 0;
  let answeredAt = 0;
  let pingedAt = -Infinity;
  let pings = 0;
  let timer: NodeJS.Timeout | undefined;
  const [patience, turn, answer] = [inTicks(patienceMs), inTicks(turnMs), inTicks(answerMs)];

  const awaitNoMore = (question: Question): void => {
    if (question.awaited) awaited.leave(question.awaited);
  };
  const waitNoMore = (question: Question): void => {
    if (question.waiting) waiting.leave(question.waiting);
  };
  const refuse = (question: Question, why: string): void => {
    awaitNoMore(question);
    waitNoMore(question);
    if (question.state !== 'asked') question.state = 'settled';
    question.refuse(new StoreBusy(why));
  };
  const hasRoom = (): boolean => asked < atOnce;
  const believe = (next: typeof belief): void => {
    belief = next;
    if (belief === 'away') for (const question of waiting.all()) refuse(question, 'the database is away');
    if (belief !== 'well') return startTicking();
    for (let question = waiting.oldest(); question && hasRoom(); question = waiting.oldest()) {
      waitNoMore(question);
      ask(question);
    }
    return undefined;
  };
  const ask = (question: Question): void => {
    question.state = 'asked';
    asked += 1;
    question.ask();
  };
  const live = (): void => {
    answeredAt = ticks;
    believe('well');
  };
  const lookForLife = async (): Promise<void> => {
    if (ticks - pingedAt < (pings > 0 ? SILENT_PING_TICKS : PING_TICKS)) return;
    pingedAt = ticks;
    pings += 1;
    try {
      await ping();
      live();
    } catch (error) {
      if (isConnectionLost(error)) believe('away');
    } finally {
      pings -= 1;
    }
  };
  const isDue = ({ since, isActive }: Question): boolean =>
    ticks - Math.max(since, answeredAt) >= patience || ticks - since >= (isActive() ? answer : turn);
  const tick = (): void => {
    ticks += 1;
    for (const question of awaited.all()) {
      if (ticks - question.since < Math.min(patience, turn)) break;
      if (!isDue(question)) continue;
      refuse(question, 'the database does not answer in time');
      if (ticks - answeredAt >= patience) believe('away');
    }
    const oldest = awaited.oldest();
    if (belief !== 'well' || (oldest && ticks - oldest.since >= patience / 2)) void lookForLife();
    if (awaited.size() > 0 || belief !== 'well') return;
    clearInterval(timer);
    timer = undefined;
  };
  const startTicking = (): void => {
    if (timer) return;
    timer = setInterval(tick, TICK_MS);
    timer.unref();
  };
  const keepWaiting = (question: Question): void => {
    // Nothing was to be answered while nobody waited.
    if (awaited.size() === 0 && belief === 'well') answeredAt = ticks;
    question.since = ticks;
    question.awaited = awaited.add(question);
    startTicking();
  };
  const settle = (question: Question): void => {
    awaitNoMore(question);
    if (question.state === 'asked') asked -= 1;
    question.state = 'settled';
  };
  const put = (asking: Asking): Question => ({ ...asking, since: 0, state: 'new' });

  return {
    put,
    admit: (question) => {
      if (belief === 'away') return refuse(question, 'the database is away');
      if (belief === 'well' && hasRoom()) {
        keepWaiting(question);
        return ask(question);
      }
      if (waiting.size() >= mostWaiting) return refuse(question, `${mostWaiting} others wait for the database`);
      question.state = 'waiting';
      question.waiting = waiting.add(question);
      return keepWaiting(question);
    },
    answered: (question) => {
      settle(question);
      live();
    },
    failed: (question, error) => {
      settle(question);
      if (!isConnectionLost(error)) live();
      else if (belief === 'well') believe('doubt');
    },
    inTime: async (work) => {
      const late = Promise.withResolvers<never>();
      const asking = { ask: () => {}, isActive: () => true, refuse: late.reject };
      const question: Question = { ...put(asking), state: 'asked' };
      keepWaiting(question);
      try {
        return await Promise.race([work, late.promise]);
      } finally {
        awaitNoMore(question);
      }
    },
  };
};
