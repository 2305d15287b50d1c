/**
 * zod compiles validators with `new Function`, which the page's content security policy forbids. zod tries it when a
 * schema is made, so this runs before any module that makes one.
 */
import {config} from 'zod/v4/core'

config({jitless: true})

const {start} = await import('./start.tsx')
start()
