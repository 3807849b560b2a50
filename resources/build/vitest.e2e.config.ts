import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../', import.meta.url))

export default defineConfig({
  root,
  test: {
    include: ['test/e2e/**/*.e2e.{ts,tsx}'],
    environment: 'node',
    pool: 'forks',
    // One window at a time: focus and timing are part of what is tested.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
})
