/**
 * Faults that are planted into the product one at a time, to see that the simulator finds them. Each changes
 * the compiled text of a few modules in a copy of the program, which a process of its own runs: nothing of it
 * is in the program that is shipped. A text that is not there exactly once fails its test.
 */

export interface PlantedFault {
  readonly name: string;
  /** The first that has shown it: a test begins with this one. Another change may make it another one. */
  readonly seed: number;
  /** What the product does then. */
  readonly about: string;
  readonly changes: readonly Change[];
}

export interface Change {
  /** Path of the compiled module in `dist`. */
  readonly module: string;
  readonly from: string;
  readonly to: string;
}

const change = (module: string, from: string, to: string): Change => ({ module, from, to });

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'credited-before-final',
    seed: 17,
    about: 'a transfer is credited that may still be undone',
    changes: [
      change(
        'src/channels/bep20/assess.js',
        'if (isFinal(receipt, heads, rule.confirmations))',
        'if (receipt !== null)',
      ),
    ],
  },
  {
    name: 'no-unique',
    seed: 2,
    about: 'nothing keeps a proof from being credited twice: no UNIQUE in the store, no look before',
    changes: [
      change(
        'src/actions/claims/decide-claim.js',
        'if (proof.credited_session !== null)',
        'if (proof.credited_session === session.id)',
      ),
      change(
        'src/store/migrations/0001-money.js',
        "'CREATE UNIQUE INDEX one_credit ON transactions (channel, reference, scope)'",
        "'CREATE INDEX one_credit ON transactions (channel, reference, scope)'",
      ),
      change(
        'src/store/migrations/0001-money.js',
        'proof_id TEXT NOT NULL UNIQUE REFERENCES proofs (id)',
        'proof_id TEXT NOT NULL REFERENCES proofs (id)',
      ),
    ],
  },
  {
    name: 'no-sync',
    seed: 1,
    about: 'a commit is answered without a sync, with synchronous = NORMAL',
    changes: [
      change(
        'src/store/sqlite.js',
        "raw.exec('PRAGMA synchronous = FULL')",
        "raw.exec('PRAGMA synchronous = NORMAL')",
      ),
      change('src/store/sqlite.js', 'const FULL = 2;', 'const FULL = 1;'),
    ],
  },
  {
    name: 'failed-sync-forgotten',
    seed: 3,
    about: 'a commit whose sync fails is taken for one that did not',
    changes: [
      change(
        'src/store/group-commit.js',
        'this.statements.commit.run();',
        'try {\n            this.statements.commit.run();\n        }\n        catch { }',
      ),
    ],
  },
  {
    name: 'log-not-renewed',
    seed: 9,
    about: 'after a sync that failed the daemon goes on with the log as it finds it',
    changes: [
      change('src/store/file-watch.js', 'if (this.isDone)', 'if (true)'),
      change('src/store/sqlite.js', 'await repair.requireSoon()', 'await null'),
    ],
  },
  {
    name: 'answer-before-commit',
    seed: 3,
    about: 'a unit of work is answered before it is committed',
    changes: [
      change(
        'src/store/group-commit.js',
        'this.commit();\n            return answers;',
        'for (const answer of answers) answer();\n            await null;\n            await null;\n            await null;\n            this.commit();\n            return [];',
      ),
    ],
  },
  {
    name: 'claim-not-kept',
    seed: 2,
    about: 'a claim whose money is not there yet is not written down',
    changes: [
      change(
        'src/actions/settlement/record-claim.js',
        "const isNew = await recordClaim(core, db, { ...kept, session: session.id, state: 'WAITING', duePaisa });",
        'const isNew = true;',
      ),
    ],
  },
  {
    name: 'given-up-at-once',
    seed: 8,
    about: 'a notification that a shop did not take the first time is given up',
    changes: [
      change('src/domain/notifications/notification.js', 'RETRY_MS[tries - 1]', 'RETRY_MS[tries + 99]'),
    ],
  },
  {
    name: 'sending-forgotten',
    seed: 28,
    about: 'the agent does not write down that it sends an SMS, and sends it again after a crash',
    changes: [
      change(
        'relay-android-ts/src/core/outbox/outbox.js',
        "return this.journal.append({ t: 'sending', id, at: now });",
        "this.state.apply({ t: 'sending', id, at: now });\n        return Promise.resolve();",
      ),
    ],
  },
  {
    name: 'retry-without-id',
    seed: 8,
    about: 'each attempt of a notification has an id of its own',
    changes: [
      change(
        'src/actions/notifications/deliver-notification.js',
        'signatureHeaders({ id, at,',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module.
        'signatureHeaders({ id: tries === 0 ? id : `${id}x${tries}`, at,',
      ),
    ],
  },
  {
    name: 'two-clocks',
    seed: 1,
    about: "the time of the wallet's text is compared with the daemon's clock without any room",
    changes: [
      change(
        'src/domain/matching/matching.js',
        'session.created_at - windowHours * 3_600_000',
        'session.created_at',
      ),
    ],
  },
  {
    name: 'amount-released',
    seed: 13,
    about: 'an amount in USDT is given to the next payment while the first one may still be paid',
    changes: [
      change(
        'src/store/migrations/0001-money.js',
        'CREATE UNIQUE INDEX held_amounts ON quotes',
        'CREATE INDEX held_amounts ON quotes',
      ),
    ],
  },
  {
    name: 'word-of-a-proxy',
    seed: 17,
    about: 'the agent believes an answer without a receipt, and forgets the SMS',
    changes: [
      change(
        'relay-android-ts/src/core/sync/server-answer.js',
        'if (receipt === undefined)',
        "if (receipt === undefined) return sent.map((id) => ({ id, state: 'stored', reason: undefined }));\n    if (receipt === undefined)",
      ),
    ],
  },
  {
    name: 'one-node-is-believed',
    seed: 26,
    about: 'what one node says of a transfer is believed',
    changes: [
      change(
        'src/channels/bep20/reader.js',
        'const rule = { ...options,',
        'const rule = { ...options, agreeing: 1,',
      ),
    ],
  },
  {
    name: 'any-sender',
    seed: 1,
    about: 'a text is believed whoever sends it',
    changes: [
      change('src/channels/mfs/senders.js', '?? STRANGER', "?? { outcome: 'official', channel: 'mfs_a' }"),
    ],
  },
  {
    name: 'less-is-enough',
    seed: 1,
    about: 'less than is due is credited to a payment that takes no parts',
    changes: [
      change(
        'src/domain/matching/matching.js',
        'proof.amount_paisa < session.least_paisa',
        'proof.amount_paisa < 1',
      ),
    ],
  },
  {
    name: 'reversal-ignored',
    seed: 1,
    about: 'a text that takes money back changes nothing about it',
    changes: [
      change(
        'src/actions/settlement/dispute-money.js',
        'if (text.ids.length === 0)',
        'if (text.ids.length >= 0)',
      ),
    ],
  },
  {
    name: 'silent-sent-again',
    seed: 11,
    about: 'an SMS of which the phone says nothing any more is queued again, and may be sent twice',
    changes: [
      change(
        'src/store/tables/dispatches.js',
        "endOverdue('LEASED', 'UNKNOWN', 'lease_ends_at')",
        "endOverdue('LEASED', 'QUEUED', 'lease_ends_at')",
      ),
    ],
  },
  {
    name: 'kept-before-the-journal',
    seed: 11,
    about: "the phone's inbox is told that SMS are safe before they are in the journal",
    changes: [
      change(
        'relay-android-ts/src/core/inbox/inbox-pump.js',
        'if (fresh.size > 0 || page.cursor !== before) {',
        'await inbox.kept(page, ids);\n        if (fresh.size > 0 || page.cursor !== before) {',
      ),
    ],
  },
  {
    name: 'time-refused',
    seed: 3,
    about: 'an SMS whose time cannot be is refused',
    changes: [
      change(
        'src/domain/sms/incoming-sms.js',
        'const isTold =',
        "if (received_at !== undefined && time === null) return refuse('no such time');\n    const isTold =",
      ),
    ],
  },
  {
    name: 'credit-not-told',
    seed: 1,
    about: 'a credit writes no notification',
    changes: [
      change(
        'src/actions/sessions/transition-session.js',
        'if (told.notified_at !== null)\n        await recordNotification(',
        "if (told.notified_at !== null && event !== 'credit')\n        await recordNotification(",
      ),
    ],
  },
  {
    name: 'sent-balance-ignored',
    seed: 1,
    about: 'a text of a transfer completes a refund, whatever balance is in it',
    changes: [
      change(
        'src/actions/refunds/settle-sent.js',
        'if (!(await isFollowed(db, merchant, text)))',
        'if (false)',
      ),
    ],
  },
  {
    name: 'sent-to-another',
    seed: 1,
    about: 'a transfer to another number completes a refund',
    changes: [
      change(
        'src/domain/refunds/choose-refund.js',
        'payee !== null && payeeAgrees(sent.channel, payee, sent.payee)',
        'payee !== null',
      ),
    ],
  },
  {
    name: 'earlier-refunds-forgotten',
    seed: 1,
    about: 'what was sent back before is not counted',
    changes: [
      change('src/domain/refunds/refund-plan.js', '=> sum - amount_paisa', '=> sum - 0 * amount_paisa'),
    ],
  },
  {
    name: 'refund-key-forgotten',
    seed: 37,
    about: 'a program that repeats its request for a refund gets another one',
    changes: [
      change(
        'src/actions/refunds/create-refund.js',
        'return answerOnce(db, keyed, async () =>',
        'return (async (run) => run())(async () =>',
      ),
    ],
  },
  {
    name: 'refund-not-notified',
    seed: 1,
    about: 'a completed refund writes no notification',
    changes: [change('src/actions/refunds/complete-refund.js', 'await recordNotification(', 'void (')],
  },
  {
    name: 'part-completes',
    seed: 1,
    about: 'after a part nothing is due',
    changes: [
      change('src/actions/settlement/settle-claim.js', 'const split = isPart', 'const split = false'),
    ],
  },
];
