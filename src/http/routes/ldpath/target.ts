import type { Restricted } from '../../../base/graph-access.ts';
import type { LdPathService } from '../../../services/ldpath/ldpath.ts';
import { statusOfCode } from '../../problem.ts';
import { type HandlerResult, isRejection, rejection } from '../../server/message.ts';

/**
 * Errors that are reported only if the target exists and the parameters are right (http-api 1.10).
 */
const afterTarget: ReadonlySet<number> = new Set([400, 406, 412, 413, 415]);

/**
 * Returns the result, or an error for a missing start resource, which is reported before errors in
 * the rest of the head or in the body (P-2, http-api 1.10). The resource is looked up only then,
 * because an evaluation checks it anyway.
 */
export function targetFirst(
  service: Pick<LdPathService, 'missing'>,
  starts: readonly string[],
  client: Restricted,
  result: HandlerResult,
): HandlerResult {
  if (!isRejection(result) || !afterTarget.has(statusOfCode(result.error.code))) return result;
  const missing = service.missing(starts, client);
  return missing ? rejection(missing) : result;
}
