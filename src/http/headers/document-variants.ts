import type { PrefixService } from '../../services/prefixes/service.ts';

/**
 * Tells documents apart in entity tags that say the same with other prefixes: these are strong tags
 * (http-api G-71).
 */
export type DocumentVariants = Pick<PrefixService, 'variantOf' | 'documentVariant'>;
