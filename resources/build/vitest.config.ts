import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../', import.meta.url))

export default defineConfig({
  root,
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'test/e2e/**', 'test/fixtures/**'],
    environment: 'node',
    globalSetup: ['test/support/build-workers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Real processes and real files on two slow cores.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
})
