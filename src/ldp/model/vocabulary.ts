/**
 * IRIs of the Linked Data Platform (LDP 1.0) and of Dublin Core that the server itself reads or
 * writes.
 */
import { RDF } from '../../rdf/model/term.ts';

const LDP = 'http://www.w3.org/ns/ldp#';
const DCTERMS = 'http://purl.org/dc/terms/';

export const RDF_TYPE = `${RDF}type`;
export const RDFS_LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';

export const ldp = {
  Resource: `${LDP}Resource`,
  RDFSource: `${LDP}RDFSource`,
  NonRDFSource: `${LDP}NonRDFSource`,
  Container: `${LDP}Container`,
  BasicContainer: `${LDP}BasicContainer`,
  DirectContainer: `${LDP}DirectContainer`,
  IndirectContainer: `${LDP}IndirectContainer`,
  contains: `${LDP}contains`,
  member: `${LDP}member`,
  membershipResource: `${LDP}membershipResource`,
  hasMemberRelation: `${LDP}hasMemberRelation`,
  isMemberOfRelation: `${LDP}isMemberOfRelation`,
  insertedContentRelation: `${LDP}insertedContentRelation`,
  MemberSubject: `${LDP}MemberSubject`,
  constrainedBy: `${LDP}constrainedBy`,
  PreferMinimalContainer: `${LDP}PreferMinimalContainer`,
  PreferEmptyContainer: `${LDP}PreferEmptyContainer`,
  PreferContainment: `${LDP}PreferContainment`,
  PreferMembership: `${LDP}PreferMembership`,
} as const;

export const dcterms = {
  created: `${DCTERMS}created`,
  modified: `${DCTERMS}modified`,
  format: `${DCTERMS}format`,
  extent: `${DCTERMS}extent`,
  isFormatOf: `${DCTERMS}isFormatOf`,
  hasFormat: `${DCTERMS}hasFormat`,
} as const;
