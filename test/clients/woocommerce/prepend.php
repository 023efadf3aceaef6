<?php
/** Runs before a real WordPress: the address under which the tests serve it, in place of its own. */

define('WP_HOME', getenv('KASHBOX_TEST_SITE'));
define('WP_SITEURL', getenv('KASHBOX_TEST_SITE'));
$_SERVER['HTTPS'] = 'on';
