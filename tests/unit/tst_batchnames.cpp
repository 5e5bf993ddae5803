// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

namespace
{

// A name that a file keeps to itself.
struct OwnName {
    QString scope; // the namespace around it
    QString name;
    QString types; // of the parameters of a function
    bool isFunction = false;
};

QString contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// "const QString &, int" of "const QString &name, int = 3": what two functions of one name are told apart by.
QString typesOf(const QString &parameters)
{
    static const QRegularExpression named(u"^(.*[\\s&*>])\\w+$"_s);
    static const QRegularExpression bare(u"^(const )?[\\w:]+$"_s);
    QStringList types;
    QString one;
    int depth = 0;
    for (const QChar c : QString(parameters + u',')) {
        depth += u"<({["_s.contains(c) ? 1 : u">)}]"_s.contains(c) ? -1 : 0;
        if (c != u',' || depth > 0) {
            one += c;
            continue;
        }
        const QString type = one.section(u'=', 0, 0).simplified();
        const QRegularExpressionMatch match = named.match(type);
        types << (match.hasMatch() && !bare.match(type).hasMatch() ? match.captured(1).trimmed() : type);
        one.clear();
    }
    return types.join(u", "_s);
}

// The names in the unnamed namespaces of a source that clang-format has laid out.
QList<OwnName> ownNames(const QString &text)
{
    static const QRegularExpression unnamed(u"^namespace\\n\\{\\n(.*?)^\\} // namespace$"_s,
        QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression around(u"^namespace ([\\w:]+)\\n\\{"_s, QRegularExpression::MultilineOption);
    static const QRegularExpression type(u"^(?:class|struct|enum class|enum) (\\w+)\\b(?! \\w+(?:\\(|\\[|;| =))"_s);
    static const QRegularExpression other(u"^(?:using|private|public|template|requires|return|Q_)"_s);
    static const QRegularExpression variableOrFunction(
        u"^(?:\\[\\[[^\\]]*\\]\\] |[\\w:]+(?:<.*>)?(?:::\\w+)?[ &*]+(?:const )?)+?[&*]*(\\w+)\\s*(\\(|\\{| =|;|\\[)"_s);
    QList<OwnName> names;
    for (auto block = unnamed.globalMatch(text); block.hasNext();) {
        const QRegularExpressionMatch each = block.next();
        QString scope;
        for (auto it = around.globalMatch(text.first(each.capturedStart())); it.hasNext();) {
            scope = it.next().captured(1);
        }
        const QString body = each.captured(1);
        for (qsizetype start = 0; start < body.size();) {
            const qsizetype end = body.indexOf(u'\n', start);
            const QString line = body.sliced(start, end - start);
            if (line.isEmpty() || u" \t/#}{"_s.contains(line.front()) || other.match(line).hasMatch()) {
                start = end + 1;
                continue;
            }
            if (const QRegularExpressionMatch match = type.match(line); match.hasMatch()) {
                names.append({scope, match.captured(1), {}, false});
            } else if (const QRegularExpressionMatch found = variableOrFunction.match(line); found.hasMatch()) {
                OwnName own{scope, found.captured(1), {}, found.captured(2) == u"("};
                if (own.isFunction) {
                    const qsizetype begin = start + found.capturedEnd();
                    qsizetype close = begin;
                    for (int depth = 1; close < body.size(); ++close) {
                        depth += body.at(close) == u'(' ? 1 : body.at(close) == u')' ? -1 : 0;
                        if (depth == 0) {
                            break;
                        }
                    }
                    own.types = typesOf(body.sliced(begin, close - begin));
                }
                names.append(own);
            }
            start = end + 1;
        }
    }
    return names;
}

// The sources of each library and test program, as the lists of CMake have them.
QMap<QString, QSet<QString>> sourcesOfTargets(const QString &root)
{
    static const QRegularExpression comment(u"#[^\\n]*"_s);
    static const QRegularExpression list(
        u"(?:(?:trainyard_sources|add_library)\\(([\\w-]+)|set\\((TRAINYARD_AGENT_SOURCES)"
        "|trainyard_tests\\(([\\w-]+))\\s([^)]*)\\)"_s);
    static const QRegularExpression space(u"\\s+"_s);
    static const QRegularExpression alone(
        u"set_source_files_properties\\(([^)]*)PROPERTIES[^)]*SKIP_UNITY_BUILD_INCLUSION"_s);
    QMap<QString, QSet<QString>> targets;
    QSet<QString> outside;
    for (const QString &top : {u"model"_s, u"engine"_s, u"widgets"_s, u"app"_s, u"tests"_s}) {
        QDirIterator it(root + u'/' + top, {u"CMakeLists.txt"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QDir folder = QFileInfo(it.next()).dir();
            const QString text = contentOf(folder.filePath(u"CMakeLists.txt"_s)).remove(comment);
            for (auto match = alone.globalMatch(text); match.hasNext();) {
                for (const QString &word : match.next().captured(1).split(space, Qt::SkipEmptyParts)) {
                    outside.insert(word.section(u'/', -1));
                }
            }
            for (auto match = list.globalMatch(text); match.hasNext();) {
                const QRegularExpressionMatch each = match.next();
                const QString target = each.captured(1) + each.captured(2) + each.captured(3);
                for (QString word : each.captured(4).split(space, Qt::SkipEmptyParts)) {
                    if (!each.captured(3).isEmpty() && word.startsWith("tst_"_L1) && !word.endsWith(".cpp"_L1)) {
                        word += u".cpp"_s;
                    }
                    const QString path = QDir::cleanPath(folder.filePath(word));
                    if (word.endsWith(".cpp"_L1) && QFileInfo::exists(path)) {
                        targets[target].insert(path);
                    }
                }
            }
        }
    }
    for (QSet<QString> &sources : targets) {
        sources.removeIf([&outside](const QString &path) { return outside.contains(path.section(u'/', -1)); });
    }
    return targets;
}

// The names that two files of one target both keep to themselves. `texts`: the content of each file.
QStringList clashes(const QMap<QString, QString> &texts)
{
    QMap<QString, QMap<QString, QSet<QString>>> found; // name: file: types, "=" for what is no function
    for (auto it = texts.cbegin(); it != texts.cend(); ++it) {
        for (const OwnName &own : ownNames(it.value())) {
            found[own.scope + u"::"_s + own.name][it.key()].insert(own.isFunction ? u'(' + own.types + u')' : u"="_s);
        }
    }
    QStringList wrong;
    for (auto it = found.cbegin(); it != found.cend(); ++it) {
        QSet<QString> seen;
        bool clash = false;
        for (const QSet<QString> &types : it.value()) {
            clash = clash || seen.intersects(types) || (!seen.isEmpty() && (seen + types).contains(u"="_s));
            seen += types;
        }
        if (clash) {
            wrong << it.key() + u": "_s + QStringList(it.value().keys()).join(u", "_s);
        }
    }
    return wrong;
}

} // namespace

// The files of a library are compiled in batches, and which files share one changes whenever a file is added: a name
// that two files of a library both keep to themselves is an error that shows up far from the change that causes it.
class TstBatchNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noNameTwice()
    {
        const QString root = qEnvironmentVariable("TRAINYARD_SOURCE");
        QVERIFY2(!root.isEmpty(), "TRAINYARD_SOURCE names the source folder");
        const QMap<QString, QSet<QString>> targets = sourcesOfTargets(root);
        QVERIFY(targets.value(u"trainyard_widgets"_s).size() > 100);
        QVERIFY(targets.value(u"trainyard_cli"_s).size() > 50);
        QVERIFY(targets.value(u"TRAINYARD_AGENT_SOURCES"_s).size() > 50);
        QVERIFY(targets.value(u"trainyard-unit-tests"_s).size() > 30);
        QStringList wrong;
        for (auto it = targets.cbegin(); it != targets.cend(); ++it) {
            QMap<QString, QString> texts;
            for (const QString &path : it.value()) {
                texts.insert(QDir(root).relativeFilePath(path), contentOf(path));
            }
            for (const QString &each : clashes(texts)) {
                wrong << it.key() + u": "_s + each;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    void whatClashes_data()
    {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("isClash");

        const auto row = [](const char *name, const char *one, const char *other, bool isClash) {
            QTest::newRow(name) << QString::fromLatin1(one) << QString::fromLatin1(other) << isClash;
        };
        row("a constant", "constexpr int most = 3;", "const qsizetype most = 4;", true);
        row("a type", "struct Row {\n    int a;\n};", "class Row\n{\n};", true);
        row("variables of a type", "struct sigaction before[3];", "struct sigaction after[3];", false);
        row("a variable", "struct sigaction before[3];", "struct sigaction before[4];", true);
        row("a function", "int at(const QString &text) { return 1; }", "bool at(const QString &name)\n{\n}", true);
        row("a function and a constant", "int at(int a)\n{\n}", "constexpr int at = 1;", true);
        row("a pointer", "const char *const word = \"a\";", "const char *word = \"b\";", true);
        row("other parameters", "int at(const QString &text)\n{\n}", "int at(const QString &text, int from)\n{\n}",
            false);
        row("a default value", "int at(int from = 0)\n{\n}", "int at(int to)\n{\n}", true);
        row("another name", "constexpr int most = 3;", "constexpr int least = 3;", false);
        row("a local name", "int a()\n{\n    int most = 3;\n}", "constexpr int most = 3;", false);
    }

    void whatClashes()
    {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QFETCH(bool, isClash);
        const auto file = [](const QString &body) -> QString {
            return u"namespace trainyard\n{\nnamespace\n{\n\n"_s + body
                + u"\n\n} // namespace\n} // namespace trainyard\n"_s;
        };
        const QStringList found = clashes({{u"a.cpp"_s, file(one)}, {u"b.cpp"_s, file(other)}});
        QCOMPARE(!found.isEmpty(), isClash);
        QVERIFY(clashes({{u"a.cpp"_s, file(one)}, {u"b.cpp"_s, QString(file(other)).replace(u"trainyard"_s, u"x"_s)}})
                    .isEmpty());
    }
};

TRAINYARD_TEST(TstBatchNames)
#include "tst_batchnames.moc"
