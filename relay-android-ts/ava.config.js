/** How the agent's tests run. The file must be here: AVA would find that of the folder above. */
export default {
  files: ['dist/test/**/*.test.js'],
  timeout: '5m',
  workerThreads: false,
  concurrency: 2,
};
