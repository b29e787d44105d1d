export { default } from '../src/pool/worker/job.ts';
