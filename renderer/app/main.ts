/**
 * The entry. zod compiles validators with `new Function`, which the page's content security policy forbids and which
 * it tries when a schema is made: so it is told before any module that makes one is evaluated.
 */
import {config} from 'zod'

config({jitless: true})

const {start} = await import('./start.tsx')
start()
