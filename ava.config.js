export default {
  files: ['dist/test/**/*.test.js', 'dist/test/**/*.soak.js'],
  timeout: '5m',
  workerThreads: false,
  concurrency: 4,
  nodeArguments: ['--enable-source-maps'],
};
