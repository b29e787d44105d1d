import { isEmpty, noChanges } from '../snapshot/changes.ts';
import type { PlanBasis } from '../snapshot/plan.ts';
import { planContent, planRegistration } from './plan-books.ts';
import { planDescription, type ResourcePlan } from './plan-description.ts';
import { planErasure } from './plan-erasure.ts';
import { contentOf, type StoredContent } from './resource-books.ts';
import type { ResourceOperation } from './resource-operation.ts';

/**
 * Plans an operation on a resource, see `plan.ts` of the snapshot. `existed`: whether the resource
 * exists before the operation; `sequence`: number of the commit.
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
