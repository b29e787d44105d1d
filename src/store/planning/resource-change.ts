import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import { isEmpty, noChanges } from '../../snapshot/write/changes.ts';
import type { ResourceOperation } from '../registry/resource-operation.ts';
import { contentOf, type StoredContent } from '../registry/resource-registry.ts';
import { planDescription, type ResourcePlan } from './description-change.ts';
import { planErasure } from './erasure.ts';
import { planContent, planRegistration } from './registry-rows.ts';

/**
 * Plans an operation on a resource, see `change-plan.ts` of the snapshot. `existed`: whether the
 * resource exists before the operation; `sequence`: number of the commit.
 */
export function planResource(
  basis: PlanBasis,
  operation: ResourceOperation,
  existed: boolean,
  sequence: number,
  blankPrefix: string,
): ResourcePlan {
  switch (operation.kind) {
    case 'register':
      return { changes: existed ? noChanges : planRegistration(basis, operation.resource), ignored: 0 };
    case 'describe': {
      const plan = planDescription(basis, operation, operation.block, blankPrefix);
      if (existed || plan.changes.additions.length > 0) return plan;
      return { ...plan, changes: planRegistration(basis, operation.resource) };
    }
    case 'undescribe':
      return planDescription(basis, operation, undefined, blankPrefix);
    case 'content':
      return contentPlan(basis, operation.resource, operation.content, sequence);
    case 'erase':
      return { changes: planErasure(basis, operation), ignored: 0 };
  }
}

function contentPlan(
  basis: PlanBasis,
  resource: string,
  content: StoredContent | null,
  sequence: number,
): ResourcePlan {
  const reader = basis.reader();
  const before = contentOf(reader, reader.find(`<${resource}>`));
  const changes = planContent(basis, resource, content, sequence);
  return { changes, ignored: 0, contentSequence: before && isEmpty(changes) ? before.sequence : sequence };
}
