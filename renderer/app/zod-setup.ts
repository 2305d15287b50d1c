/**
 * zod compiles validators with `new Function`, which the page's content security policy forbids.
 * This must be evaluated before any module that makes a schema: it is the first import of `main.tsx`.
 */
import { config } from 'zod';

config({ jitless: true });
