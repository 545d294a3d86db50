//! The JSON Schema of everything that `--json` prints.
//!
//! It is made from the types that are printed, and committed. After a change to them,
//! `EDAPPLY_WRITE=1 cargo test --lib schema` writes it anew.

/// The schema.
pub const SCHEMA: &str = include_str!("schema.json");

#[cfg(test)]
mod tests {
    use std::path::Path;

    use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
    use serde_json::{Map, Value, json};

    use crate::{
        bench, choose, cost,
        report::json::{self as reports, Document, VERSION},
    };

    const POLICY: &str = "What `edapply --json` and its subcommands print: each line is one of these reports. Every \
        report begins with `version` and `report`. Within a version fields are only added, words of enumerations \
        too, so readers pass over what they do not know; the version counts up when a field goes or means \
        something else. Paths that are no UTF-8 come lossy and, beside it, as base64 under a name that ends in \
        `_b64`.";

    struct Reports {
        generator: SchemaGenerator,
        names: Vec<Value>,
        definitions: Map<String, Value>,
    }

    impl Reports {
        fn add<D: Document + JsonSchema>(&mut self, about: &str) {
            let mut schema = serde_json::to_value(self.generator.root_schema_for::<D>()).expect("a schema");
            if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
                schema = schema["$defs"][name].clone();
            }
            let object = schema.as_object_mut().expect("an object");
            for gone in ["$schema", "$defs", "title"] {
                object.remove(gone);
            }
            object.insert("description".into(), about.into());
            let properties = object["properties"].as_object_mut().expect("fields");
            properties.insert("version".into(), json!({"const": VERSION}));
            properties.insert("report".into(), json!({"const": D::REPORT}));
            let mut required = vec![json!("version"), json!("report")];
            required.extend(object["required"].as_array().expect("fields").iter().cloned());
            object.insert("required".into(), required.into());
            let name = format!("report-{}", D::REPORT);
            self.names.push(json!({"$ref": format!("#/$defs/{name}")}));
            self.definitions.insert(name, schema);
        }
    }

    fn schema() -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut all =
            Reports { generator: SchemaGenerator::new(settings), names: Vec::new(), definitions: Map::new() };
        all.add::<reports::Apply<'_>>("edapply: what came of the edits of one transaction.");
        all.add::<reports::Patch>("edapply patch: what came of a run in place of GNU patch.");
        all.add::<reports::GitApply>("edapply git-apply: what came of a run in place of `git apply`.");
        all.add::<reports::Inspected>("edapply inspect: the edits that inputs hold.");
        all.add::<reports::Convert>("edapply convert: the same edits in another format.");
        all.add::<reports::Read>("edapply read: files for a model.");
        all.add::<reports::UndoJson>("edapply undo: a batch that was taken back.");
        all.add::<reports::Recovery>("edapply recover: what killed runs had left.");
        all.add::<reports::Log>("edapply log, edapply undo --list: batches, the newest first.");
        all.add::<bench::Report<'_>>("edapply bench: what became of each case.");
        all.add::<cost::Report>("edapply cost: what changes would cost in each format.");
        all.add::<choose::Report>("edapply choose: which format to use.");
        all.add::<reports::Prompt>("edapply prompt: what to tell a model.");
        all.add::<reports::Codes>("edapply explain: what codes mean.");
        all.add::<reports::Completions>("edapply completions: the script of a shell.");
        all.add::<reports::Man>("edapply man: pages of the manual.");
        all.add::<reports::Installed>("edapply install: what was put where.");
        all.add::<reports::ErrorReport>("Any subcommand that came to nothing.");
        let mut definitions = all.definitions;
        definitions.extend(all.generator.take_definitions(true));
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Reports of edapply",
            "description": POLICY,
            "oneOf": all.names,
            "$defs": definitions,
        })
    }

    #[test]
    fn the_committed_schema_is_current() {
        let text = serde_json::to_string_pretty(&schema()).expect("JSON") + "\n";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema.json");
        if std::env::var_os("EDAPPLY_WRITE").is_some() {
            std::fs::write(&path, &text).expect("written");
        }
        assert!(std::fs::read_to_string(&path).expect("a file") == text, "see the head of this module");
    }
}
