import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import { isEmpty, noChanges } from '../../snapshot/write/changes.ts';
import type { ResourceOperation } from '../registry/resource-operation.ts';
import { contentOf } from '../registry/resource-registry.ts';
import { planDescription, type ResourcePlan } from './description-change.ts';
import { planErasure } from './erasure.ts';
import { planContent, planRegistration } from './registry-rows.ts';
import { WritableGraphs } from './writable-graphs.ts';

type ContentOperation = Extract<ResourceOperation, { readonly kind: 'content' }>;

/**
 * Plans an operation on a resource, see `change-plan.ts` of the snapshot. `before`: whether
 * the resource, and a graph of its name, exist before the operation.
 */
export function planResource(
  basis: PlanBasis,
  operation: Exclude<ResourceOperation, ContentOperation>,
  before: { readonly existed: boolean; readonly isGraph: boolean },
  blankPrefix: string,
): ResourcePlan {
  const { existed, isGraph } = before;
  switch (operation.kind) {
    case 'register':
      return { changes: existed ? noChanges : planRegistration(basis, operation.resource), ignored: 0 };
    case 'describe': {
      const plan = planDescription(basis, operation, operation.block, blankPrefix);
      if (existed || plan.changes.additions.length > 0) return plan;
      new WritableGraphs(basis.reader(), operation.access).requireName(operation.resource);
      return { ...plan, changes: planRegistration(basis, operation.resource) };
    }
    case 'undescribe':
      return planDescription(basis, operation, undefined, blankPrefix);
    case 'erase':
      return { changes: planErasure(basis, operation, isGraph), ignored: 0 };
  }
}

/** The same for an operation on the content of a resource. `sequence`: number of the commit. */
export function planResourceContent(
  basis: PlanBasis,
  { resource, content }: ContentOperation,
  sequence: number,
): ResourcePlan {
  const reader = basis.reader();
  const before = contentOf(reader, reader.find(`<${resource}>`));
  const changes = planContent(basis, resource, content, sequence);
  return { changes, ignored: 0, contentSequence: before && isEmpty(changes) ? before.sequence : sequence };
}
