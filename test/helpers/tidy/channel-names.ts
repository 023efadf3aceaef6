/**
 * The rule that a channel answers for itself: outside src/channels code asks a channel's row or module for a
 * property, and hardly ever compares its name. The rows themselves are names beside facts, and no comparison.
 */
import ts from 'typescript-classic';
import { PAY_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { at, type Source } from './source.js';

const NAMES: ReadonlySet<string> = new Set(PAY_CHANNELS);
/** Constants of the product that hold a name. */
const CONSTANTS = ['QR', 'BANK'];
/** Where a channel says what it is. */
const OWN = /^src\/(channels\/|domain\/wallets\/|domain\/accounts\/channels\.ts$)/;
const LOOKED_AT = /^(src|daemon|commands)\//;
const EQUALITY = [
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];
/** Methods that compare what they are given, or are given to a list of names. */
const COMPARING = /^(where|having|startsWith|endsWith|includes|indexOf|has|test|match)$/;

/**
 * Comparisons with a channel's name: equality, a case of a switch, an argument of `where` or `startsWith`, a
 * list that is searched, an object or a set keyed by names, a guard for some of the channels.
 * @returns the place of each.
 */
export function channelComparisons(file: Source): string[] {
  if (OWN.test(file.path) || !LOOKED_AT.test(file.path)) return [];
  const constants = new Set([...CONSTANTS, ...ownConstants(file)]);
  const isName = (node: ts.Node | undefined): boolean => {
    if (node === undefined) return false;
    if (ts.isStringLiteralLike(node)) return NAMES.has(node.text) || /^mfs_/.test(node.text);
    return ts.isIdentifier(node) && constants.has(node.text);
  };
  const isList = (node: ts.Node): boolean =>
    ts.isAsExpression(node)
      ? isList(node.expression)
      : ts.isArrayLiteralExpression(node) && node.elements.some(isName);
  const isComparison = (node: ts.Node): boolean => {
    if (ts.isBinaryExpression(node)) {
      return EQUALITY.includes(node.operatorToken.kind) && (isName(node.left) || isName(node.right));
    }
    if (ts.isCaseClause(node)) return isName(node.expression);
    if (ts.isTypePredicateNode(node)) return isSomeChannels(node.type);
    if (ts.isNewExpression(node)) return node.arguments?.some(isList) ?? false;
    if (ts.isCallExpression(node)) return isSearch(node);
    return ts.isObjectLiteralExpression(node) && node.properties.some(({ name }) => isKey(name));
  };
  const isSearch = ({ expression, arguments: given }: ts.CallExpression): boolean => {
    if (ts.isIdentifier(expression))
      return /^is\w+Channel$/.test(expression.text) && !isDoor(expression.text);
    if (!ts.isPropertyAccessExpression(expression)) return false;
    const { name, expression: receiver } = expression;
    return (
      COMPARING.test(name.text) &&
      (isList(receiver) || given.some((one) => isName(one) || (name.text === 'where' && isList(one))))
    );
  };
  const isKey = (name: ts.PropertyName | undefined): boolean => {
    if (name === undefined) return false;
    if (ts.isComputedPropertyName(name)) return isName(name.expression);
    // `bank` is also a word of its own, as in a table of texts.
    return (
      (ts.isIdentifier(name) || ts.isStringLiteral(name)) &&
      /_|^bep20$/.test(name.text) &&
      NAMES.has(name.text)
    );
  };
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isComparison(node)) found.push(at(file, node));
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

/** Names that the file gives to a channel's name. */
function ownConstants({ tree }: Source): string[] {
  return tree.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) =>
      declarationList.declarations.flatMap(({ name, initializer }) =>
        ts.isIdentifier(name) &&
        initializer !== undefined &&
        ts.isStringLiteral(initializer) &&
        NAMES.has(initializer.text)
          ? [name.text]
          : [],
      ),
    );
}

/** `value is MfsChannel`. */
function isSomeChannels(type: ts.TypeNode | undefined): boolean {
  const name = type?.getText() ?? '';
  return /Channel$/.test(name) && !isDoor(name);
}

/** Whether a text is a channel at all is no question for a channel. */
function isDoor(name: string): boolean {
  return /^(is)?(Pay)?Channel$/.test(name);
}
