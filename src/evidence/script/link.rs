//! Reads files again that import what other files turned out to export.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::{ALIASES, Exports, Fact, Imports, Module};
use super::{ScriptReading, read_with};
use crate::catalogue::Namespace;

/// A file that was read, as far as others may depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// Its name.
    pub name: &'s str,
    /// Its text.
    pub text: &'s str,
    /// What its name says.
    pub namespace: Option<&'s Namespace>,
    /// What it said to others when it was read alone.
    pub module: &'s Module,
}

/// Rounds in which files may learn from files that learned before.
const MOST_ROUNDS: usize = 4;

/// Modules that hand on what others hand on.
const LONGEST_CHAIN: u32 = 8;

/// Endings of files that are left out where they are imported.
const ENDINGS: &[&str] = &["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"];

/// Reads those files again that can know more than alone, by name. What is ambiguous stays unknown.
pub fn link(sources: &[Source<'_>]) -> BTreeMap<String, ScriptReading> {
    let index: BTreeMap<&str, usize> = sources.iter().enumerate().map(|(at, source)| (source.name, at)).collect();
    let files = Files::new(sources.iter().map(|source| source.name).collect());
    let models = models(sources);
    let mut modules: Vec<Module> = sources.iter().map(|source| source.module.clone()).collect();
    let mut known: Vec<Imports> = vec![Imports::default(); sources.len()];
    let mut read: BTreeMap<String, ScriptReading> = BTreeMap::new();
    for _ in 0..MOST_ROUNDS {
        let mut changed: Vec<(usize, Imports)> = Vec::new();
        for (at, (source, module)) in sources.iter().zip(&modules).enumerate() {
            let mut imports = Imports::default();
            for (specifier, name) in &module.wanted {
                let follow = Follow { files: &files, index: &index, modules: &modules };
                if let Some(fact) = follow.fact(source.name, specifier, name, LONGEST_CHAIN) {
                    imports.facts.insert((specifier.clone(), name.clone()), fact);
                }
            }
            for model in &module.wanted_models {
                if let Some(collection) = models.get(model.as_str()) {
                    imports.models.insert(model.clone(), collection.clone());
                }
            }
            if known.get(at).is_some_and(|known| *known != imports) {
                changed.push((at, imports));
            }
        }
        if changed.is_empty() {
            break;
        }
        for (at, imports) in changed {
            let (Some(source), Some(module)) = (sources.get(at), modules.get_mut(at)) else { continue };
            let mut reading = read_with(source.name, source.text, source.namespace, imports.clone());
            // What it asked for before is still asked for, so that rounds end.
            reading.module.wanted.append(&mut module.wanted);
            reading.module.wanted_models.append(&mut module.wanted_models);
            *module = std::mem::take(&mut reading.module);
            if let Some(known) = known.get_mut(at) {
                *known = imports;
            }
            read.insert(source.name.to_owned(), reading);
        }
    }
    read
}

/// The collections of models by their names; nothing where files differ.
fn models(sources: &[Source<'_>]) -> BTreeMap<String, Option<String>> {
    let mut models: BTreeMap<String, Option<String>> = BTreeMap::new();
    for source in sources {
        for (model, collection) in &source.module.models {
            let collection = collection.clone().unwrap_or_else(|| super::mongoose::plural(model));
            match models.get_mut(model) {
                Some(known) if known.as_ref() != Some(&collection) => *known = None,
                Some(_) => {}
                None => {
                    models.insert(model.clone(), Some(collection));
                }
            }
        }
    }
    models
}

struct Follow<'f> {
    files: &'f Files<'f>,
    index: &'f BTreeMap<&'f str, usize>,
    modules: &'f [Module],
}

impl Follow<'_> {
    fn fact(&self, from: &str, specifier: &str, name: &str, depth: u32) -> Option<Fact> {
        let depth = depth.checked_sub(1)?;
        let file = self.files.resolve(from, specifier)?;
        let exports: &Exports = &self.modules.get(*self.index.get(file)?)?.exports;
        exports.get(name, &|module, there| self.fact(file, module, there, depth))
    }
}

/// The files of the run, to be found as a module loader finds them.
struct Files<'f> {
    names: BTreeSet<&'f str>,
    /// Names from their last folder on, for those that are named from a root which is not known.
    ends: BTreeMap<&'f str, Vec<&'f str>>,
}

impl<'f> Files<'f> {
    fn new(names: Vec<&'f str>) -> Files<'f> {
        let mut ends: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in &names {
            ends.entry(name.rsplit('/').next().unwrap_or(name)).or_default().push(name);
        }
        Files { names: names.into_iter().collect(), ends }
    }

    /// The file that a specifier means within a file.
    fn resolve(&self, from: &str, specifier: &str) -> Option<&'f str> {
        if specifier.starts_with('.') {
            let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
            let path = joined(folder, specifier)?;
            return candidates(&path, from).find_map(|candidate| self.names.get(candidate.as_str()).copied());
        }
        let alias = ALIASES.iter().find(|alias| specifier.starts_with(**alias))?;
        let path = specifier.strip_prefix(alias)?;
        for candidate in candidates(path, from) {
            let last = candidate.rsplit('/').next().unwrap_or_default();
            let tail = format!("/{candidate}");
            let mut fitting =
                self.ends.get(last).into_iter().flatten().filter(|name| **name == candidate || name.ends_with(&tail));
            if let Some(first) = fitting.next() {
                // Of several roots the one is not known.
                return fitting.next().is_none().then_some(first);
            }
        }
        None
    }
}

/// A path taken from a folder; nothing where it leaves the root.
fn joined(folder: &str, specifier: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

/// The names that a module may have, likeliest first: files of the importing one's own kind come before others.
fn candidates(path: &str, from: &str) -> impl Iterator<Item = String> {
    let own = from.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned();
    // TypeScript is imported by the name of the JavaScript that it becomes.
    let source = path.strip_suffix(".js").or_else(|| path.strip_suffix(".mjs")).map(str::to_owned);
    let path = path.to_owned();
    let mut stems = vec![path.clone()];
    stems.extend(source);
    stems.push(if path.is_empty() { "index".to_owned() } else { format!("{path}/index") });
    stems.into_iter().flat_map(move |stem| {
        let first = format!("{stem}.{own}");
        [stem.clone(), first].into_iter().chain(ENDINGS.iter().map(move |ending| format!("{stem}{ending}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files, each with the operations that are expected of it.
    fn check(files: &[(&str, &str, &[&str])]) {
        let alone: Vec<ScriptReading> =
            files.iter().map(|(name, text, _)| super::super::read(name, text, None)).collect();
        let sources: Vec<Source<'_>> = files
            .iter()
            .zip(&alone)
            .map(|((name, text, _), reading)| Source { name, text, namespace: None, module: &reading.module })
            .collect();
        let linked = link(&sources);
        let backward: Vec<Source<'_>> = sources.iter().rev().copied().collect();
        let again = link(&backward);
        for ((name, _, expected), alone) in files.iter().zip(&alone) {
            let operations = |reading: &ScriptReading| -> Vec<String> {
                let said = |o: &crate::workload::Operation| {
                    let ns = o.ns.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string);
                    format!("{:?} {} {ns}", o.api, o.method)
                };
                reading.operations.iter().map(said).collect()
            };
            let found = operations(linked.get(*name).unwrap_or(alone));
            assert_eq!(found, *expected, "{name}");
            assert_eq!(found, operations(again.get(*name).unwrap_or(alone)), "{name} in another order");
        }
    }

    #[test]
    fn collections_are_imported() {
        check(&[
            (
                "app/db.ts",
                "import { MongoClient } from 'mongodb';
                const client = new MongoClient(url);
                export const db = client.db('shop');
                export const users = db.collection<User>('users');
                export const collections = { orders: db.collection('orders') };
                export function getItems() { return db.collection('items'); }
                export const named = (name: string) => client.db('shop').collection(`app_${name}`);
                export default async function connect() { return { carts: db.collection('carts') }; }
                export class Store { static logs = db.collection('logs'); get tags() { return db.collection('tags'); } }
                export const store = new Store();",
                &[],
            ),
            (
                "app/use/a.ts",
                "import connect, { db as base, users as people, collections, getItems, named, Store, store } from '../db';
                import * as all from '../db.js';
                people.findOne({}); collections.orders.findOne({}); getItems().findOne({}); named('x').findOne({});
                named(other).findOne({}); (await connect()).carts.findOne({}); Store.logs.findOne({}); store.tags.findOne({});
                all.users.findOne({}); base.collection('own').findOne({}); const { orders } = collections; orders.findOne({});
                class Repo { private c = getItems(); run() { return this.c.findOne({}); } }",
                &[
                    "Driver findOne shop.users",
                    "Driver findOne shop.orders",
                    "Driver findOne shop.items",
                    "Driver findOne shop.app_x",
                    "Driver findOne ?",
                    "Driver findOne shop.carts",
                    "Driver findOne shop.logs",
                    "Driver findOne shop.tags",
                    "Driver findOne shop.users",
                    "Driver findOne shop.own",
                    "Driver findOne shop.orders",
                    "Driver findOne shop.items",
                ],
            ),
        ]);
    }

    #[test]
    fn common_modules_and_constants() {
        check(&[
            (
                "lib/names.js",
                "exports.USERS = 'people'; const LOGS = 'logs'; module.exports.LOGS = LOGS;",
                &[],
            ),
            ("lib/state.ts", "export enum Names { Jobs = 'jobs' } export const Config = { names: { mails: 'mail' } } as const;", &[]),
            (
                "lib/connect.js",
                "const { MongoClient } = require('mongodb');
                let db;
                module.exports = { connect: async () => { db = (await MongoClient.connect(u)).db('web'); }, getDb: () => db, db: () => db };",
                &[],
            ),
            (
                "lib/index.js",
                "const names = require('./names'); const { getDb } = require('./connect');
                const { Names, Config } = require('@/state');
                getDb().collection(names.USERS).findOne({});
                require('./connect').getDb().collection(names.LOGS).findOne({});
                getDb().collection(Names.Jobs).findOne({}); getDb().collection(Config.names.mails).findOne({});
                getDb().collection(names.OTHER).findOne({});",
                &[
                    "Driver findOne web.people",
                    "Driver findOne web.logs",
                    "Driver findOne web.jobs",
                    "Driver findOne web.mail",
                    "Driver findOne ?",
                ],
            ),
        ]);
    }

    #[test]
    fn models_are_known_by_name_and_by_import() {
        check(&[
            (
                "m/user.js",
                "const mongoose = require('mongoose'); const s = require('./schema');
                module.exports = mongoose.model('User', s.user);
                module.exports.Log = mongoose.model('Log', new mongoose.Schema({}, { collection: 'audit' }));",
                &[],
            ),
            (
                "m/schema.js",
                "const { Schema } = require('mongoose'); exports.user = new Schema({}, { collection: 'members' });",
                &[],
            ),
            ("m/index.ts", "export { default as User } from './user'; export * from './cat';", &[]),
            (
                "m/cat.ts",
                "import { getModelForClass } from '@typegoose/typegoose';
                @modelOptions({ schemaOptions: { collection: 'felines' } }) export class Cat { @prop() name: string; }
                export const CatModel = getModelForClass(Cat);",
                &[],
            ),
            (
                "use.ts",
                "import mongoose from 'mongoose'; import { User, CatModel } from './m'; import { Cat } from './m/cat';
                User.findOne({}); CatModel.findOne({}); mongoose.model('Log').findOne({}); mongoose.model('New').findOne({});
                class Service { constructor(@InjectModel(Cat.name) private cats: Model<Cat>) {} run() { this.cats.findOne({}); } }",
                &[
                    "Mongoose findOne members",
                    "Mongoose findOne felines",
                    "Mongoose findOne audit",
                    "Mongoose findOne news",
                    "Mongoose findOne felines",
                ],
            ),
        ]);
    }

    #[test]
    fn what_is_ambiguous_stays_open() {
        check(&[
            ("a/src/db.ts", "export const users = client.db('one').collection('users');", &[]),
            ("b/src/db.ts", "export const users = client.db('two').collection('users');", &[]),
            ("a/m.js", "mongoose.model('Item', new Schema({}, { collection: 'one' }));", &[]),
            ("b/m.js", "mongoose.model('Item', new Schema({}, { collection: 'two' }));", &[]),
            (
                "c/x.ts",
                "import { users } from '@/db'; import { findOne } from './none'; import { Model } from 'mongoose';
                users.findOne({}); findOne({}); mongoose.model('Item').findOne({});",
                &["Mongoose findOne ?"],
            ),
            (
                "d/loop.ts",
                "export * from './loop'; export * from './pool'; import { x } from './pool'; export const y = x; y.findOne({});",
                &[],
            ),
            (
                "d/pool.ts",
                "export * from './loop'; import { y } from './loop'; export const x = y; x.findOne({});",
                &[],
            ),
        ]);
    }
}
