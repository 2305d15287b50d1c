import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['shared/**/*.test.ts', 'electron/**/*.test.ts', 'renderer/**/*.test.ts', 'build/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'build/layer-rule/planted/**'],
    environment: 'node',
    pool: 'forks',
    testTimeout: 20_000,
    // A test that waits for real time is a defect: clocks come from ports.
    slowTestThreshold: 2_000,
  },
});
