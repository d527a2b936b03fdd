// What jest offers to one test file.
module.exports = require('@jest/globals');
