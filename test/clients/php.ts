/**
 * What PHP itself makes of an answer: programs in PHP compare loosely, calculate in floating point and die of
 * types, and no model of that is as good as PHP. One process answers all questions of a file of tests.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Owner } from '../helpers/programs/processes.js';

/** How a program reads verify's answer. */
export type Rule =
  /** `$data['status'] == "COMPLETED"`. */
  | 'loose'
  /** The same, or "success". */
  | 'loose_or_success'
  /** `$data['status'] === 'COMPLETED'`. */
  | 'identical'
  /** Loosely, and then the order by `json_decode($data['metadata'], true)`. */
  | 'panel';

export interface Judged {
  readonly paid: boolean;
  /** Of the rule `panel`: the field of the meta data that names the order. */
  readonly order: string | null;
  /** What PHP died of. */
  readonly fatal: string | null;
}

export interface Php {
  /** @param field of the meta data that names the order, for the rule `panel`. */
  judge(rule: Rule, answer: string, field?: string): Promise<Judged>;
  /** A body as `json_encode` writes it, with `amount` as the product of two numbers. */
  body(fields: Readonly<Record<string, unknown>>, price: number, rate: number): Promise<string>;
}

const PROGRAM = `
function judge($rule, $data, $field) {
  if ($rule === 'identical') return [isset($data['status']) && $data['status'] === 'COMPLETED', null];
  if ($rule === 'panel') {
    if (!isset($data['status']) && !isset($data['metadata'][$field])) return [false, null];
    if (!(isset($data['status']) && $data['status'] == 'COMPLETED')) return [false, null];
    $meta = json_decode($data['metadata'] ?? null, true);
    return [true, $meta[$field] ?? null];
  }
  $status = $data['status'] ?? null;
  return [$status == "COMPLETED" || ($rule === 'loose_or_success' && $status == "success"), null];
}
error_reporting(E_ERROR);
while (($line = fgets(STDIN)) !== false) {
  $asked = json_decode($line, true);
  try {
    if (isset($asked['fields'])) {
      $asked['fields']['amount'] = $asked['price'] * $asked['rate'];
      $told = ['body' => json_encode($asked['fields'])];
    } else {
      [$paid, $order] = judge($asked['rule'], json_decode($asked['answer'], true), $asked['field']);
      $told = ['paid' => $paid, 'order' => $order, 'fatal' => null];
    }
  } catch (Throwable $fault) {
    $told = ['paid' => false, 'order' => null, 'fatal' => $fault->getMessage()];
  }
  echo json_encode($told), "\\n";
}
`;

export function startPhp(owner: Owner): Php {
  const php = spawn('php', ['-n', '-r', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  owner.teardown(() => php.kill('SIGKILL'));
  // It answers in the order of the questions.
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: php.stdout }).on('line', (line) => waiting.shift()?.(line));
  const ask = async (question: object): Promise<unknown> => {
    const told = new Promise<string>((resolve) => {
      waiting.push(resolve);
    });
    php.stdin.write(`${JSON.stringify(question)}\n`);
    return JSON.parse(await told);
  };
  return {
    judge: async (rule, answer, field = '') => (await ask({ rule, answer, field })) as Judged,
    body: async (fields, price, rate) =>
      ((await ask({ fields, price, rate })) as { readonly body: string }).body,
  };
}
