// @ts-check
'use strict';
