/** The tasks are measured, so they run one after the other, and apart from the browser tests. */
import {defineConfig} from '@playwright/test'

import usual from '../playwright.config.ts'

export default defineConfig(usual, {testDir: '.', testMatch: /\.task\.ts$/, outputDir: '../../test-results/tasks', workers: 1, retries: 0})
