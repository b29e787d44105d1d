/**
 * Twelve kinds of programs that use all resources they can get. Each contains a number, so that no
 * two are equal.
 */
import { NUMBER } from '../load/request.ts';

const ALMOST = `${'a'.repeat(40)}!`;
const KNOWS = 'foaf:knows';
const PAGE = `<ul>${'<li><b>x</b></li>'.repeat(10_000)}</ul>`;
const XML = `<a>${'<b/>'.repeat(5_000)}</a>`;
const LISTS = `${'['.repeat(60)}${'1,'.repeat(20_000)}1${']'.repeat(60)}`;

const expressions: Readonly<Record<string, string>> = {
  'a pattern with nested repetitions': `fn:replace("${ALMOST}", "^(a+)+$", "b")`,
  'a pattern with equal alternatives': `fn:replace("${ALMOST}", "^(a|a)*$", "b")`,
  'a pattern with a reference back': `fn:replace("${ALMOST}", "^(a+)+(a+)+\\\\1$", "b")`,
  'a pattern that looks ahead': `fn:replace("${ALMOST}", "^(?=(a+)+$)", "b")`,
  'paths over everything': '(*)+ / (*)+',
  'tests within tests': `(${KNOWS})+[(${KNOWS})+[(${KNOWS})+[foaf:nobody]]]`,
  'a recursion without end': '(fn:concat(., "x"))+',
  'all against all': `(${KNOWS})+[^${KNOWS}/(${KNOWS})+[foaf:name is "nobody"]]`,
  'a list that is sorted': `fn:sort((${KNOWS})+/foaf:name | (${KNOWS})+/(${KNOWS})+/foaf:name)`,
  'a page of many elements': `fn:css("ul > li b, ul li > b, li:nth-last-child(2n) b", "${PAGE}")`,
  'elements for each element': `fn:xpath("//b[count(//b) > 1]", "${XML}")`,
  'lists in lists': `fn:jsonpath("$..*..*..*", "${LISTS}")`,
};

export const runawayKinds = Object.keys(expressions);

/** A program of the kind, with `{number}` where the number belongs. */
export function runawayProgram(kind: string): string {
  return `x${NUMBER} = ${expressions[kind]} ;`;
}
