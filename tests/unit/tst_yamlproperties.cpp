// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"
#include "model/yaml/yamlscalar.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;

namespace
{

struct Sample {
    QString name;
    QByteArray bytes;
};

// Documents in the shapes that people write; the product's own examples and, where they are, real job files come on
// top.
QList<Sample> builtInSamples()
{
    return {
        {QStringLiteral("job"), R"(# A job
protocolVersion: 2
name: "mnist_01"   # quoted
type: job
contributor: someone
description: >-
  Trains a model
  on two lines.

prerequisites:
  - protocolVersion: 2
    name: image
    type: dockerimage
    uri: "openpai/standard:python_3.6-pytorch_1.2.0-gpu"
  # where the data is
  - name: data
    type: data
    uri:
      - http://host/a.tar.gz
      - 'http://host/b.tar.gz'
parameters:
  lr: 0.01 # rate
  layers: [3, 4, 6, 3]
  flags: {amp: true, "grad clip": 1e3, list: [a, b]}
  empty:
taskRoles:
  worker:
    instances: 2
    completion:
      minFailedInstances: 1
    dockerImage: image
    resourcePerInstance:
      cpu: 4
      memoryMB: 8192
      gpu: 1
    commands:
      - echo start # first
      # - nvidia-smi
      - |
        for i in 1 2 3; do
          echo "$i: <% $parameters.lr %>"   # not a comment
        done
      - >-
        python train.py
        --lr <% $parameters.lr %>
        --out $OUT

      - |+
        keep

      - "say \"hi\"\n"
  # the server
  ps: # inline
    instances: 1
    commands:
    - sleep infinity
extras:
  com.microsoft.pai.runtimeplugin:
    - plugin: ssh
      parameters: {jobssh: true, userssh: {}}
)"},
        {QStringLiteral("no line break at the end"), "a: 1\nb:\n  - x\n  - y: |\n      t"},
        {QStringLiteral("CRLF"),
            "a: 1 # c\r\nb:\r\n  - x\r\n  - |\r\n    l1\r\n    l2\r\n  - z\r\nc: {d: [1, 2], e: f}\r\n"},
        {QStringLiteral("BOM and marks"), "\xEF\xBB\xBF---\n# c\na: x\nb: [1,\n  2, # two\n  3]\n...\n# end\n"},
        {QStringLiteral("odd layout"), "? a\n: b\n? c\n:\n- x\n-\n  - y\n  - z:  1\n    w: 2\n-   v\n"},
        {QStringLiteral("odd layout 2"),
            "a:\n- x\n- - y\n  - z\n-\n  k: v\n\n\nb:\n    c:\n        d: 1\n    # deep\n# end"},
        {QStringLiteral("flow root"), "{a: 1, 'b': [x, \"y\", {z: }], c, d: {e: f,\n g: h}}\n"},
        {QStringLiteral("anchors"), "a: &x 1\nb: &y {c: 1, d: *x}\ne: *y\nf: &unused z\ng: !!str 5\nh: !!int 7\n"},
        {QStringLiteral("two documents"), "a: 1\nb: x\n---\nsecret: 2\n"},
        {QStringLiteral("duplicates"), "a: 1\nb: {c: 1}\na: 2\nd: x\n"},
        {QStringLiteral("block scalars"),
            "a: |2-\n    x\n  y\nb: >+ # c\n  p\n  q\n\n    r\n\nc: |\n\n  z\n\n\nd: >\n    w\n"},
        {QStringLiteral("unicode"),
            "\xC3\xA4: \xF0\x9F\x98\x80 # \xE2\x82\xAC\n\"k\\u00e9\": '\xE6\x97\xA5\xE6\x9C\xAC'\n"},
    };
}

QList<Sample> samplesBelow(const QString &folder)
{
    QList<Sample> samples;
    const QDir dir(folder);
    const QStringList names
        = dir.entryList({QStringLiteral("*.yaml"), QStringLiteral("*.yml")}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile file(dir.filePath(name));
        if (file.open(QIODevice::ReadOnly)) {
            samples.append({name, file.readAll()});
        }
    }
    return samples;
}

// A node's facts without positions; what must not change elsewhere.
QByteArray facts(const YamlNode *node)
{
    const bool plain = node->style == YamlNode::Style::Plain;
    return QByteArray::number(int(node->kind)) + '|' + node->tag + '|' + node->anchor + '|' + (plain ? 'p' : 'q') + '|'
        + node->scalar + '|' + QByteArray::number(node->entries.size());
}

void listFacts(const YamlNode *node, const QByteArray &where, const YamlNode *except, QList<QByteArray> &list)
{
    if (node == except) {
        return;
    }
    list.append(where + ' ' + facts(node));
    for (qsizetype i = 0; i < node->entries.size(); ++i) {
        const YamlNode::Entry &entry = node->entries.at(i);
        if (entry.value == except) {
            continue; // with its key
        }
        const QByteArray name = entry.key ? facts(entry.key) : QByteArray("item");
        listFacts(entry.value, where + '/' + name, except, list);
    }
}

// The bytes of scalars hide comment signs that are none: blank them, then every sign left begins a comment.
void hideScalars(const YamlNode *node, QByteArray &text)
{
    if (node->kind == YamlNode::Kind::Scalar) {
        qsizetype begin = node->at.begin;
        if (node->style == YamlNode::Style::Literal || node->style == YamlNode::Style::Folded) {
            while (begin < node->at.end && text.at(begin) != '\n') {
                ++begin;
            }
        }
        for (qsizetype i = begin; i < node->at.end; ++i) {
            text[i] = text.at(i) == '\n' ? '\n' : '.';
        }
    }
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            hideScalars(entry.key, text);
        }
        hideScalars(entry.value, text);
    }
}

QMap<QByteArray, int> comments(const YamlDocument &document)
{
    QByteArray masked = document.bytes();
    for (const YamlNode *root : {document.root(), document.secondRoot()}) {
        if (root) {
            hideScalars(root, masked);
        }
    }
    QMap<QByteArray, int> found;
    qsizetype line = 0;
    while (line < masked.size()) {
        qsizetype end = masked.indexOf('\n', line);
        end = end < 0 ? masked.size() : end;
        const qsizetype sign = masked.indexOf('#', line);
        if (sign >= 0 && sign < end) {
            ++found[document.bytes().mid(sign, end - sign).trimmed()];
        }
        line = end + 1;
    }
    return found;
}

bool holdsAll(const QMap<QByteArray, int> &all, const QMap<QByteArray, int> &some)
{
    for (auto it = some.cbegin(); it != some.cend(); ++it) {
        if (all.value(it.key()) < it.value()) {
            return false;
        }
    }
    return true;
}

// The lines that differ: first and last, of the old text.
QPair<qsizetype, qsizetype> changedLines(const QByteArray &before, const QByteArray &after)
{
    const QList<QByteArray> a = before.split('\n');
    const QList<QByteArray> b = after.split('\n');
    qsizetype first = 0;
    while (first < a.size() && first < b.size() && a.at(first) == b.at(first)) {
        ++first;
    }
    qsizetype last = 0;
    while (
        last < a.size() - first && last < b.size() - first && a.at(a.size() - 1 - last) == b.at(b.size() - 1 - last)) {
        ++last;
    }
    return {first, a.size() - 1 - last};
}

qsizetype lineOf(const QByteArray &text, qsizetype offset) { return text.left(offset).count('\n'); }

struct Counts {
    int documents = 0;
    int scalars = 0;
    int edits = 0;
    int restored = 0;
    QMap<QString, int> refused;
};

} // namespace

// For every scalar of every document: set, remove, rename. What is asked for is there, all else is as before.
class TstYamlProperties : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyScalarOfBuiltInDocuments();
    void everyScalarOfRealJobs();

private:
    void document(const Sample &sample, Counts &counts);
    void scalar(const YamlDocument &document, const YamlNode *node, Counts &counts);
    void set(
        const YamlDocument &document, const YamlNode *node, const YamlPath &path, const QString &text, Counts &counts);
    void remove(const YamlDocument &document, const YamlNode *node, const YamlPath &path, Counts &counts);
    void rename(const YamlDocument &document, const YamlNode *node, const YamlPath &path, Counts &counts);
    void report(const Counts &counts) const;
    bool m_exhaustive = false;
};

void TstYamlProperties::set(
    const YamlDocument &document, const YamlNode *node, const YamlPath &path, const QString &text, Counts &counts)
{
    const Result<TextEdits> edits = planEdit(document, edit::SetText{path, text});
    if (!edits) {
        ++counts.refused[edits.error().code];
        // Only what the form cannot do in principle may be refused.
        QVERIFY2(edits.error().code == QLatin1String("edit.anchor-in-use") || !node->editable,
            qPrintable(edits.error().code + u' ' + path.toPointer() + u' ' + text));
        return;
    }
    ++counts.edits;
    const QByteArray changed = applyEdits(document.bytes(), *edits);
    const YamlDocument after = YamlDocument::parse(changed);
    const YamlNode *now = after.find(path);
    QVERIFY(now);
    QCOMPARE(now->scalar, text.toUtf8());
    QCOMPARE(typedScalar(*now).type, ScalarType::String);
    QList<QByteArray> before;
    QList<QByteArray> behind;
    listFacts(document.root(), {}, node, before);
    listFacts(after.root(), {}, now, behind);
    QCOMPARE(behind, before);
    QCOMPARE(comments(after), comments(document));
    if (changed != document.bytes()) {
        const auto [first, last] = changedLines(document.bytes(), changed);
        QVERIFY(first >= lineOf(document.bytes(), node->at.begin));
        QVERIFY(last <= lineOf(document.bytes(), node->at.end) + 1);
    }
    // Back again by another set: the same bytes where the text has the form that a set would give it.
    const QByteArray old = node->scalar;
    const bool wasText = typedScalar(*node).type == ScalarType::String && node->tag.isEmpty()
        && (node->style != YamlNode::Style::Plain || !looksTyped(old));
    if (wasText && now->style == node->style && node->kind == YamlNode::Kind::Scalar
        && (node->style == YamlNode::Style::Plain || node->style == YamlNode::Style::SingleQuoted)
        && !document.bytes().mid(node->at.begin, node->at.length()).contains('\n')) {
        const Result<TextEdits> back = planEdit(after, edit::SetText{path, QString::fromUtf8(old)});
        QVERIFY(back);
        QCOMPARE(applyEdits(changed, *back), document.bytes());
        ++counts.restored;
    }
}

void TstYamlProperties::remove(const YamlDocument &document, const YamlNode *node, const YamlPath &path, Counts &counts)
{
    const Result<TextEdits> edits = planEdit(document, edit::Remove{path});
    if (!edits) {
        ++counts.refused[edits.error().code];
        QVERIFY2(edits.error().code == QLatin1String("edit.anchor-in-use") || !node->editable,
            qPrintable(edits.error().code + u' ' + path.toPointer()));
        return;
    }
    ++counts.edits;
    const YamlNode *gone = node;
    while (gone->parent && gone->parent->entries.size() == 1) {
        gone = gone->parent;
    }
    const QByteArray changed = applyEdits(document.bytes(), *edits);
    const YamlDocument after = YamlDocument::parse(changed);
    if (!gone->parent) {
        QVERIFY(!after.root() || after.root()->isNull());
    } else {
        QList<QByteArray> before;
        QList<QByteArray> behind;
        listFacts(document.root(), {}, gone, before);
        listFacts(after.root(), {}, nullptr, behind);
        // The parent has one entry less; everything else is the same.
        QCOMPARE(behind.size(), before.size());
        int different = 0;
        for (qsizetype i = 0; i < before.size(); ++i) {
            different += before.at(i) == behind.at(i) ? 0 : 1;
        }
        QCOMPARE(different, 1);
    }
    QVERIFY(holdsAll(comments(document), comments(after)));
    // Comments outside of the lines that go are all still there.
    const auto [first, last] = changedLines(document.bytes(), changed);
    const QList<QByteArray> lines = document.bytes().split('\n');
    QByteArray removed;
    for (qsizetype i = first; i <= last && i < lines.size(); ++i) {
        removed += lines.at(i) + '\n';
    }
    QMap<QByteArray, int> lost = comments(document);
    const QMap<QByteArray, int> kept = comments(after);
    for (auto it = lost.begin(); it != lost.end(); ++it) {
        QVERIFY(it.value() - kept.value(it.key()) <= int(removed.count(it.key())));
    }
}

void TstYamlProperties::rename(const YamlDocument &document, const YamlNode *node, const YamlPath &path, Counts &counts)
{
    for (const QString &key : {QStringLiteral("renamed_key"), QStringLiteral("re: named, #key")}) {
        const Result<TextEdits> edits = planEdit(document, edit::RenameKey{path, key});
        if (!edits) {
            ++counts.refused[edits.error().code];
            const YamlNode *name = node->parent->entries.at(node->position).key;
            QVERIFY2(edits.error().code == QLatin1String("edit.anchor-in-use") || !name->editable
                    || name->kind == YamlNode::Kind::Alias,
                qPrintable(edits.error().code));
            continue;
        }
        ++counts.edits;
        const QByteArray changed = applyEdits(document.bytes(), *edits);
        const YamlDocument after = YamlDocument::parse(changed);
        const YamlNode *now = after.find(path.parent().child(key));
        QVERIFY(now);
        QVERIFY(!after.find(path));
        QCOMPARE(facts(now), facts(node));
        QList<QByteArray> before;
        QList<QByteArray> behind;
        listFacts(document.root(), {}, node, before);
        listFacts(after.root(), {}, now, behind);
        QCOMPARE(behind, before);
        QCOMPARE(comments(after), comments(document));
        QCOMPARE(edits->size(), 1);
    }
}

void TstYamlProperties::scalar(const YamlDocument &document, const YamlNode *node, Counts &counts)
{
    const YamlPath path = document.pathOf(node);
    if (document.find(path) != node) {
        return; // the later one of two equal keys, or under a key that is no scalar
    }
    ++counts.scalars;
    // All of it takes minutes with sanitizers on: real jobs get a part each, in turn, unless everything is asked for.
    static const bool everything = qEnvironmentVariableIsSet("TRAINYARD_FULL");
    const auto turn = [&](int of) { return m_exhaustive || everything || counts.scalars % of == 0; };
    int which = 0;
    for (const QString &text : {QStringLiteral("plain"), QStringLiteral("it's: \"needs\" #quotes, {x} [y]?"),
             QStringLiteral("first line\n  second: 'line'\n\n# third"), QString::fromUtf8(node->scalar)}) {
        if (m_exhaustive || everything || counts.scalars % 4 == which++) {
            set(document, node, path, text, counts);
        }
    }
    if (turn(3)) {
        remove(document, node, path, counts);
    }
    if (turn(5) && std::holds_alternative<QString>(path.last())) {
        rename(document, node, path, counts);
    }
}

void TstYamlProperties::document(const Sample &sample, Counts &counts)
{
    const YamlDocument document = YamlDocument::parse(sample.bytes);
    if (!document.isComplete() || !document.root()) {
        QCOMPARE(planEdit(document, edit::SetText{{QStringLiteral("a")}, QStringLiteral("x")}).has_value(), false);
        return;
    }
    ++counts.documents;
    const std::function<void(const YamlNode *)> visit = [&](const YamlNode *node) {
        if (node->kind == YamlNode::Kind::Scalar && node->parent) {
            scalar(document, node, counts);
        }
        for (const YamlNode::Entry &entry : node->entries) {
            visit(entry.value);
            if (QTest::currentTestFailed()) {
                return;
            }
        }
    };
    visit(document.root());
    if (QTest::currentTestFailed()) {
        qWarning("in %s", qPrintable(sample.name));
    }
}

void TstYamlProperties::report(const Counts &counts) const
{
    QString refused;
    for (auto it = counts.refused.cbegin(); it != counts.refused.cend(); ++it) {
        refused += QStringLiteral(", %1 refused with %2").arg(it.value()).arg(it.key());
    }
    qInfo("%d documents, %d scalars: %d edits, %d set back to the same bytes%s", counts.documents, counts.scalars,
        counts.edits, counts.restored, qPrintable(refused));
}

void TstYamlProperties::everyScalarOfBuiltInDocuments()
{
    Counts counts;
    m_exhaustive = true;
    for (const Sample &sample : builtInSamples()) {
        document(sample, counts);
        if (QTest::currentTestFailed()) {
            return;
        }
    }
    report(counts);
    QVERIFY(counts.documents >= 12);
    QVERIFY(counts.edits > 500);
}

void TstYamlProperties::everyScalarOfRealJobs()
{
    const QString source = qEnvironmentVariable("TRAINYARD_SOURCE");
    const QString shared = qEnvironmentVariable("TRAINYARD_SHARED", source + QStringLiteral("/../shared"));
    QList<Sample> samples = samplesBelow(source + QStringLiteral("/resources/templates"));
    samples += samplesBelow(source + QStringLiteral("/resources/examples"));
    samples += samplesBelow(shared + QStringLiteral("/corpus/v2"));
    Counts counts;
    m_exhaustive = false;
    QElapsedTimer timer;
    timer.start();
    for (const Sample &sample : std::as_const(samples)) {
        document(sample, counts);
        if (QTest::currentTestFailed()) {
            return;
        }
    }
    report(counts);
    qInfo("%lld ms", static_cast<long long>(timer.elapsed()));
}

TRAINYARD_TEST(TstYamlProperties)
#include "tst_yamlproperties.moc"
