// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/code/codeleftout.h"
#include "engine/code/codeorigin.h"
#include "engine/code/codeparts.h"
#include "engine/code/codesnapshot.h"
#include "engine/contract/environmentrecord.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which files of a work folder are copied to other hosts, asked of the real git.
class TstCodeFiles : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_count = 0;

    QString newFolder()
    {
        const QString path = m_folder.filePath(QString::number(++m_count));
        QDir().mkpath(path);
        return path;
    }
    static void write(const QString &path, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size(), qPrintable(path));
    }
    static void git(const QString &folder, const QStringList &arguments)
    {
        QProcess process;
        process.start(u"git"_s,
            QStringList{u"-C"_s, folder, u"-c"_s, u"user.name=t"_s, u"-c"_s, u"user.email=t@t"_s, u"-c"_s,
                u"protocol.file.allow=always"_s}
                + arguments);
        QVERIFY(process.waitForFinished(20000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    }
    static QByteArrayList pathsOf(const Result<CodeFiles> &code)
    {
        QByteArrayList paths;
        if (code) {
            for (const CodeFile &file : code->files) {
                paths.append(file.path);
            }
        } else {
            paths.append("error " + code.error().code.toUtf8());
        }
        return paths;
    }

private Q_SLOTS:
    void ofARepository()
    {
        const QString at = newFolder();
        git(at, {u"init"_s, u"-q"_s});
        write(at + u"/train.py"_s, "print()\n");
        write(at + u"/pkg/a b.py"_s, "1");
        write(at + u"/gone.py"_s, "1");
        write(at + u"/.gitignore"_s, "data/\n*.log\n");
        write(at + u"/data/big.bin"_s, "12345");
        write(at + u"/kept.log"_s, "1");
        git(at, {u"add"_s, u"."_s});
        git(at, {u"add"_s, u"-f"_s, u"kept.log"_s}); // tracked, although a pattern names it
        git(at, {u"commit"_s, u"-qm"_s, u"1"_s});
        write(at + u"/new.py"_s, "1");
        write(at + u"/out.log"_s, "1");
        QVERIFY(QFile::remove(at + u"/gone.py"_s));
        const Result<CodeFiles> code = codeFilesOf(at, {});
        QCOMPARE(pathsOf(code), (QByteArrayList{".gitignore", "kept.log", "new.py", "pkg/a b.py", "train.py"}));
        QVERIFY(code->isOfGit);
        QCOMPARE(code->bytes, 12 + 1 + 1 + 1 + 8);
        QCOMPARE(biggestOf(*code, 1).constFirst().path, QByteArray(".gitignore"));
        // A folder in a repository: only what is in it, by its own paths.
        QCOMPARE(pathsOf(codeFilesOf(at + u"/pkg"_s, {})), QByteArrayList{"a b.py"});
        // One that the repository ignores is still somebody's work folder.
        QCOMPARE(pathsOf(codeFilesOf(at + u"/data"_s, {})), QByteArrayList{"big.bin"});
    }

    void ofAFolder()
    {
        const QString at = newFolder();
        write(at + u"/train.py"_s, "1");
        write(at + u"/.env"_s, "1");
        write(at + u"/__pycache__/train.pyc"_s, "1");
        write(at + u"/.venv/bin/python"_s, "1");
        write(at + u"/.gitignore"_s, "/runs\n");
        write(at + u"/runs/1/log"_s, "1");
        write(at + u"/sub/.gitignore"_s, "*.tmp\n");
        write(at + u"/sub/x.tmp"_s, "1");
        write(at + u"/sub/x.py"_s, "1");
        const Result<CodeFiles> code = codeFilesOf(at, {});
        QCOMPARE(pathsOf(code), (QByteArrayList{".env", ".gitignore", "sub/.gitignore", "sub/x.py", "train.py"}));
        QVERIFY(!code->isOfGit);
    }

    // Its patterns count for what git tracks, too.
    void ownIgnoreFile_data()
    {
        QTest::addColumn<bool>("repository");
        QTest::newRow("repository") << true;
        QTest::newRow("folder") << false;
    }
    void ownIgnoreFile()
    {
        QFETCH(bool, repository);
        const QString at = newFolder();
        write(at + u"/a.py"_s, "1");
        write(at + u"/weights/w.bin"_s, "1");
        write(at + u"/docs/x.md"_s, "1");
        write(at + u"/docs/keep.md"_s, "1");
        write(at + u"/.trainyardignore"_s, "weights/\n*.md\n!keep.md\n");
        if (repository) {
            git(at, {u"init"_s, u"-q"_s});
            git(at, {u"add"_s, u"."_s});
        }
        QCOMPARE(pathsOf(codeFilesOf(at, {})), (QByteArrayList{".trainyardignore", "a.py", "docs/keep.md"}));
    }

    void submodules()
    {
        const QString lib = newFolder(), at = newFolder();
        git(lib, {u"init"_s, u"-q"_s});
        write(lib + u"/lib.py"_s, "1");
        git(lib, {u"add"_s, u"."_s});
        git(lib, {u"commit"_s, u"-qm"_s, u"1"_s});
        git(at, {u"init"_s, u"-q"_s});
        git(at, {u"submodule"_s, u"add"_s, u"-q"_s, lib, u"third/lib"_s});
        write(at + u"/nested/.git/HEAD"_s, "ref: refs/heads/main\n");
        QDir().mkpath(at + u"/nested/.git/objects"_s);
        QDir().mkpath(at + u"/nested/.git/refs"_s);
        write(at + u"/nested/n.py"_s, "1");
        QCOMPARE(pathsOf(codeFilesOf(at, {})), (QByteArrayList{".gitmodules", "nested/n.py", "third/lib/lib.py"}));
    }

    // A repository of a stranger runs nothing.
    void hostile()
    {
        const QString at = newFolder();
        git(at, {u"init"_s, u"-q"_s});
        write(at + u"/a.py"_s, "1");
        const QString ran = at + u"/.git/ran"_s;
        write(at + u"/.git/run.sh"_s, "#!/bin/sh\ntouch " + ran.toUtf8() + "\n");
        QFile::setPermissions(at + u"/.git/run.sh"_s, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        for (const QString &key : {u"core.fsmonitor"_s, u"core.pager"_s, u"core.sshCommand"_s, u"core.editor"_s}) {
            git(at, {u"config"_s, key, at + u"/.git/run.sh"_s});
        }
        QCOMPARE(pathsOf(codeFilesOf(at, {})), QByteArrayList{"a.py"});
        QVERIFY(!QFileInfo::exists(ran));
        // It must be one that would have run: git itself, without our options, does.
        QProcess process;
        process.start(u"git"_s, {u"-C"_s, at, u"status"_s});
        QVERIFY(process.waitForFinished(20000));
        QVERIFY(QFileInfo::exists(ran));
    }

    // Of which commit the files are, and what is not committed: of nothing that stays here, and without secrets.
    void origin()
    {
        const QString top = newFolder(), at = top + u"/work"_s;
        git(top, {u"init"_s, u"-q"_s, u"-b"_s, u"tuning"_s});
        write(at + u"/train.py"_s, "lr = 1\n");
        write(at + u"/gone.py"_s, "of old\n");
        write(at + u"/job.yaml"_s, "name: old-name\n");
        write(at + u"/private.txt"_s, "not yours\n");
        write(at + u"/.trainyardignore"_s, "private.txt\n");
        write(top + u"/elsewhere.py"_s, "1\n");
        git(top, {u"add"_s, u"."_s});
        git(top, {u"commit"_s, u"-qm"_s, u"1"_s});
        const auto originOf = [&](const QStringList &secrets) {
            const Result<CodeFiles> code = codeFilesOf(at, {0, 0, at + u"/job.yaml"_s});
            const QByteArray text = code ? codeOriginOf(*code, secrets) : QByteArray();
            return contract::parseEnvironment(text.toStdString());
        };
        const auto clean = originOf({});
        QVERIFY(clean && clean->git);
        QCOMPARE(clean->git->commit.size(), std::size_t(40));
        QCOMPARE(clean->git->branch, std::string("tuning"));
        QVERIFY(!clean->git->dirty && clean->git->diff.empty() && clean->git->untrackedCount == 0);

        write(at + u"/train.py"_s, "lr = 2\npassword = 'correct horse'\nurl = 'https://ada:correct%20horse@h/'\n");
        write(at + u"/job.yaml"_s, "name: secret-name\n");
        write(at + u"/private.txt"_s, "nobody's business\n");
        write(top + u"/elsewhere.py"_s, "of another folder\n");
        write(at + u"/new.py"_s, "1");
        write(at + u"/new.log"_s, "1");
        QVERIFY(QFile::remove(at + u"/gone.py"_s));
        const auto found = originOf({u"correct horse"_s, u"short"_s});
        QVERIFY(found && found->git && found->gaps.empty());
        const QByteArray diff = QByteArray::fromStdString(found->git->diff);
        QVERIFY(found->git->dirty && !found->git->diffCut);
        QCOMPARE(
            QFileInfo(QString::fromStdString(found->git->top)).canonicalFilePath(), QFileInfo(top).canonicalFilePath());
        QVERIFY2(diff.contains("-lr = 1\n+lr = 2\n+password = '******'\n+url = 'https://ada:******@h/'\n"),
            diff.constData());
        QVERIFY2(diff.contains("a/work/gone.py") && !diff.contains("of old"), diff.constData());
        for (const char *kept : {"secret-name", "old-name", "business", "not yours", "of another folder", "horse"}) {
            QVERIFY2(!diff.contains(kept), kept);
        }
        QCOMPARE(found->git->untracked, (std::vector<std::string>{"work/new.log", "work/new.py"}));

        // A long one is cut at the end of a line.
        write(at + u"/train.py"_s, QByteArray("a line of many\n").repeated(200'000));
        const auto cut = originOf({});
        QVERIFY(cut && cut->git && cut->git->diffCut);
        QVERIFY(cut->git->diff.size() <= contract::greatestDiff && cut->git->diff.ends_with("many\n"));
        QVERIFY(codeOriginOf(*codeFilesOf(newFolder(), {}), {}).isEmpty());
    }

    // A filter that the repository names for its files is a program, too.
    void hostileFilter()
    {
        const QString at = newFolder();
        git(at, {u"init"_s, u"-q"_s});
        write(at + u"/a.py"_s, "1");
        git(at, {u"add"_s, u"."_s});
        git(at, {u"commit"_s, u"-qm"_s, u"1"_s});
        write(at + u"/.gitattributes"_s, "*.py filter=evil diff=evil\n");
        write(at + u"/a.py"_s, "22");
        const QString ran = at + u"/.git/ran"_s;
        for (const QString &key : {u"filter.evil.clean"_s, u"diff.evil.command"_s, u"diff.evil.textconv"_s}) {
            git(at, {u"config"_s, key, u"touch '%1'; cat"_s.arg(ran)});
        }
        git(at, {u"config"_s, u"filter.evil.required"_s, u"true"_s});
        const Result<CodeFiles> code = codeFilesOf(at, {});
        QVERIFY(code);
        const auto found = contract::parseEnvironment(codeOriginOf(*code, {}).toStdString());
        QVERIFY(!QFileInfo::exists(ran));
        QVERIFY(found && found->git && found->git->diff.find("+22") != std::string::npos);
        // It must be one that would have run.
        QProcess process;
        process.start(u"git"_s, {u"-C"_s, at, u"diff"_s, u"--no-ext-diff"_s, u"--no-textconv"_s, u"HEAD"_s});
        QVERIFY(process.waitForFinished(20000));
        QVERIFY(QFileInfo::exists(ran));
    }

    // Even what git would fetch for a repository that lacks it.
    void hostilePartialClone()
    {
        const QString at = newFolder();
        git(at, {u"init"_s, u"-q"_s});
        write(at + u"/.gitignore"_s, "x\n");
        write(at + u"/a.py"_s, "1");
        git(at, {u"add"_s, u"."_s});
        git(at, {u"commit"_s, u"-qm"_s, u"1"_s});
        git(at, {u"update-index"_s, u"--skip-worktree"_s, u".gitignore"_s});
        QVERIFY(QFile::remove(at + u"/.gitignore"_s));
        const QString ran = at + u"/.git/ran"_s;
        for (const auto &[key, value] : {std::pair(u"extensions.partialClone"_s, u"evil"_s),
                 std::pair(u"core.repositoryFormatVersion"_s, u"1"_s), std::pair(u"remote.evil.promisor"_s, u"true"_s),
                 std::pair(u"remote.evil.url"_s, QString(u"ext::touch "_s + ran)),
                 std::pair(u"protocol.ext.allow"_s, u"always"_s)}) {
            git(at, {u"config"_s, key, value});
        }
        QDirIterator objects(at + u"/.git/objects"_s, QDir::Files, QDirIterator::Subdirectories);
        while (objects.hasNext()) {
            QVERIFY(QFile::remove(objects.next()));
        }
        write(at + u"/b.py"_s, "1"); // of which it looks whether it is ignored
        const Result<CodeFiles> code = codeFilesOf(at, {});
        QVERIFY(!QFileInfo::exists(ran));
        // It must be one that would have run.
        QProcess process;
        process.start(u"git"_s, {u"-C"_s, at, u"ls-files"_s, u"-o"_s, u"--exclude-standard"_s});
        QVERIFY(process.waitForFinished(20000));
        QVERIFY(QFileInfo::exists(ran));
    }

    // A tracked folder that was moved elsewhere, with a link in its place: only the link is in the work folder.
    void folderThatBecameALink()
    {
        const QString at = newFolder(), elsewhere = newFolder();
        git(at, {u"init"_s, u"-q"_s});
        write(at + u"/data/x"_s, "1");
        git(at, {u"add"_s, u"."_s});
        QVERIFY(QFile::rename(at + u"/data"_s, elsewhere + u"/data"_s));
        QVERIFY(QFile::link(elsewhere + u"/data"_s, at + u"/data"_s));
        QCOMPARE(pathsOf(codeFilesOf(at, {})), QByteArrayList{"data"});
    }

    void oddFiles()
    {
        const QString at = newFolder();
        write(at + u"/real"_s, "1");
        write(at + "/with\nnewline"_L1, "1");
        QVERIFY(::symlink("real", QFile::encodeName(at + u"/link"_s).constData()) == 0);
        QVERIFY(::symlink(
                    QFile::encodeName(at + u"/real"_s).constData(), QFile::encodeName(at + u"/absolute"_s).constData())
            == 0);
        QVERIFY(::symlink("/etc", QFile::encodeName(at + u"/outside"_s).constData()) == 0);
        QVERIFY(::mkfifo(QFile::encodeName(at + u"/pipe"_s).constData(), 0600) == 0);
        const QByteArray latin = QFile::encodeName(at) + "/caf\xe9";
        QVERIFY(::close(::open(latin.constData(), O_CREAT | O_WRONLY, 0644)) == 0);
        const Result<CodeFiles> code = codeFilesOf(at, {});
        QCOMPARE(pathsOf(code), (QByteArrayList{"absolute", "caf\xe9", "link", "outside", "real", "with\nnewline"}));
        QCOMPARE(code->files.at(0).target, QByteArray("real")); // a copy is somewhere else
        QCOMPARE(code->files.at(3).target, QByteArray("/etc"));
        QVERIFY(code->files.at(3).isLink); // and nothing below it is ours
    }

    void limits()
    {
        const QString at = newFolder();
        write(at + u"/a"_s, QByteArray(100, 'a'));
        write(at + u"/b"_s, QByteArray(50, 'b'));
        QVERIFY(codeFilesOf(at, {150, 2}));
        const Result<CodeFiles> big = codeFilesOf(at, {149, 0});
        QCOMPARE(pathsOf(big), QByteArrayList{"error code.too-big"});
        QCOMPARE(big.error().args.value("biggest"_L1).toString(), u"a\n100\nb\n50"_s);
        QCOMPARE(pathsOf(codeFilesOf(at, {0, 1})), QByteArrayList{"error code.too-big"});
        QCOMPARE(pathsOf(codeFilesOf(at + u"/no"_s, {})), QByteArrayList{"error code.folder-missing"});
        const std::atomic<bool> isCancelled = true;
        QCOMPARE(pathsOf(codeFilesOf(at, {}, &isCancelled)), QByteArrayList{"error code.cancelled"});
    }

    void biggestParts_data()
    {
        QTest::addColumn<QByteArrayList>("files"); // "path size"
        QTest::addColumn<QByteArrayList>("parts"); // "path bytes files"
        QTest::newRow("nothing") << QByteArrayList() << QByteArrayList();
        QTest::newRow("files") << QByteArrayList{"a 1", "b 3"} << QByteArrayList{"b 3 1", "a 1 1"};
        QTest::newRow("a chain of folders") << QByteArrayList{"x/y/a 1"} << QByteArrayList{"x/y/a 1 1"};
        QTest::newRow("few enough to open")
            << QByteArrayList{"d/a 5", "d/b 4", "e 1"} << QByteArrayList{"d/a 5 1", "d/b 4 1", "e 1 1"};
        QTest::newRow("too many to open")
            << QByteArrayList{"d/1 1", "d/2 1", "d/3 1", "d/4 1", "e 2"} << QByteArrayList{"d/ 4 4", "e 2 1"};
        QTest::newRow("the largest is opened first") << QByteArrayList{"d/1 9", "d/2 9", "e/1 1", "e/2 1", "e/3 1"}
                                                     << QByteArrayList{"d/1 9 1", "d/2 9 1", "e/ 3 3"};
        QTest::newRow("more than are wanted")
            << QByteArrayList{"a 1", "b 2", "c 3", "d 4"} << QByteArrayList{"d 4 1", "c 3 1", "b 2 1"};
    }
    void biggestParts()
    {
        QFETCH(QByteArrayList, files);
        QFETCH(QByteArrayList, parts);
        CodeFiles code;
        for (const QByteArray &each : std::as_const(files)) {
            CodeFile file;
            file.path = each.split(' ').first();
            file.bytes = each.split(' ').last().toLongLong();
            code.files.append(file);
        }
        QByteArrayList found;
        for (const CodePart &part : biggestPartsOf(code, 3)) {
            found.append(part.path + ' ' + QByteArray::number(part.bytes) + ' ' + QByteArray::number(part.files));
        }
        QCOMPARE(found, parts);
    }

    // By which rule each thing stays here, and how large it is.
    void leftOut_data()
    {
        QTest::addColumn<bool>("repository");
        QTest::newRow("repository") << true;
        QTest::newRow("folder") << false;
    }
    void leftOut()
    {
        QFETCH(bool, repository);
        const QString at = newFolder();
        if (repository) {
            git(at, {u"init"_s, u"-q"_s});
        }
        write(at + u"/src/train.py"_s, "1");
        write(at + u"/.gitignore"_s, "data/\n*.log\n");
        write(at + u"/.trainyardignore"_s, "*.bin\nold/\n");
        write(at + u"/data/a"_s, "12345");
        write(at + u"/data/deep/b"_s, "12345");
        write(at + u"/src/run.log"_s, "123");
        write(at + u"/src/big.bin"_s, "1234");
        write(at + u"/old/x"_s, "12");
        write(at + u"/bins/y.bin"_s, "1");
        write(at + u"/job.yaml"_s, "123456");
        write(at + u"/src/other.yml"_s, "secrets: {a: hunter2}\ntaskRoles: {}\n");
        write(at + u"/train.secrets"_s, "# for the script\n\r\nSECRET_TOKEN=hunter2\n");
        write(at + u"/src/list.secrets"_s, "the best kept ones\n");
        write(at + u"/src/config.yaml"_s, "secrets: {a: of no job}\n");
        write(at + u"/src/filled.yaml"_s, "secrets: {a: '******'}\ntaskRoles: {}\n");
        write(at + u"/src/__pycache__/train.pyc"_s, "1234567");
        QVERIFY(QDir().mkpath(at + u"/empty/inside"_s));
        QVERIFY(::mkfifo(QFile::encodeName(at + u"/pipe"_s).constData(), 0600) == 0);
        const QString document = at + u"/job.yaml"_s;
        const Result<CodeFiles> code = codeFilesOf(at, {0, 0, document});
        QVERIFY(code);
        QMap<QByteArray, QByteArray> left;
        for (const LeftOut &each : leftOutOf(*code, document)) {
            QVERIFY(!each.isCut);
            left.insert(each.path,
                leftOutWord(each.by).toLatin1() + ' ' + QByteArray::number(each.bytes) + ' '
                    + QByteArray::number(each.files));
        }
        if (repository) {
            QVERIFY2(left.take(".git/").startsWith("git "), "git keeps it for itself");
            QVERIFY(!left.contains("src/__pycache__/")); // nobody told git to ignore it
        } else {
            QCOMPARE(left.take("src/__pycache__/"), QByteArray("programs 7 1"));
        }
        const QMap<QByteArray, QByteArray> wanted{{"data/", "gitignore 10 2"}, {"src/run.log", "gitignore 3 1"},
            {"src/big.bin", "trainyardignore 4 1"}, {"old/", "trainyardignore 2 1"}, {"bins/", "trainyardignore 1 1"},
            {"job.yaml", "document 6 1"}, {"src/other.yml", "document 36 1"}, {"train.secrets", "document 40 1"},
            {"empty/", "empty 0 0"}, {"pipe", "special 0 1"}};
        QCOMPARE(left, wanted);
    }

    // A file that "--secret token=@FILE" names is often in the work folder.
    void filesThatAreSecretsStay()
    {
        const QString at = newFolder();
        write(at + u"/train.py"_s, "print('ab12cd34ef')\n"); // it shows the value, but is a program all the same
        write(at + u"/token"_s, "ab12cd34ef");
        write(at + u"/token.txt"_s, "ab12cd34ef\n");
        write(at + u"/windows.txt"_s, "ab12cd34ef\r\n");
        write(at + u"/key.pem"_s, "-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n");
        write(at + u"/VERSION"_s, "12\n"); // too short a value to tell a file by it
        write(at + u"/other"_s, "ab12cd34eg");
        const QStringList secrets{u"ab12cd34ef"_s, u"-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n"_s, u"12"_s};
        QCOMPARE(pathsOf(codeFilesOf(at, {0, 0, {}, secrets})), (QByteArrayList{"VERSION", "other", "train.py"}));
        QCOMPARE(pathsOf(codeFilesOf(at, {})).size(), 7);
    }

    void snapshots()
    {
        const QString at = newFolder();
        write(at + u"/a"_s, "same");
        write(at + u"/b"_s, "same");
        write(at + u"/run.sh"_s, "1");
        QFile::setPermissions(at + u"/run.sh"_s, QFile::ReadOwner | QFile::ExeOwner);
        CodeNames names;
        const Result<CodeSnapshot> first = snapshotOf(at, {}, names);
        QVERIFY(first);
        QCOMPARE(first->entries.size(), std::size_t(3));
        QCOMPARE(first->entries[0].content, first->entries[1].content);
        QVERIFY(first->entries[2].isExecutable && !first->entries[0].isExecutable);
        const auto entries = contract::parseCodeTree(first->text.toStdString());
        QVERIFY(entries && *entries == first->entries);
        QCOMPARE(snapshotOf(at, {}, names)->tree, first->tree);
        // A private file stays one, and what stays here is not in it.
        write(at + u"/key"_s, "k");
        QFile::setPermissions(at + u"/key"_s, QFile::ReadOwner | QFile::WriteOwner);
        const Result<CodeSnapshot> without = snapshotOf(at, {0, 0, at + u"/a"_s}, names);
        QVERIFY(without && without->entries.size() == 3 && without->entries[1].path == "key");
        QVERIFY(without->entries[1].isPrivate && !without->entries[0].isPrivate);
        QVERIFY(*contract::parseCodeTree(without->text.toStdString()) == without->entries);
        QVERIFY(QFile::remove(at + u"/key"_s));
        write(at + u"/b"_s, "diff"); // as long, at once
        QVERIFY(snapshotOf(at, {}, names)->tree != first->tree);
    }

    void badTrees_data()
    {
        const QByteArray head("trainyard-tree 1\0", 17), name(64, 'a');
        const QByteArray file = "f 1 " + name + '\0';
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("good");
        QTest::newRow("empty folder") << head << true;
        QTest::newRow("file") << head + file + QByteArray("a/b\0", 4) << true;
        QTest::newRow("nothing") << QByteArray() << false;
        QTest::newRow("other version") << QByteArray("trainyard-tree 2\0", 17) << false;
        QTest::newRow("upwards") << head + file + QByteArray("../b\0", 5) << false;
        QTest::newRow("inside upwards") << head + file + QByteArray("a/../../b\0", 10) << false;
        QTest::newRow("absolute") << head + file + QByteArray("/etc/b\0", 7) << false;
        QTest::newRow("empty part") << head + file + QByteArray("a//b\0", 5) << false;
        QTest::newRow("no path") << head + file + QByteArray("\0", 1) << false;
        QTest::newRow("cut") << head + file + "a" << false;
        QTest::newRow("twice") << head + file + QByteArray("a\0", 2) + file + QByteArray("a\0", 2) << false;
        QTest::newRow("behind a link") << head + QByteArray("l /etc\0a\0", 9) + file + QByteArray("a/b\0", 4) << false;
        QTest::newRow("no name") << head + QByteArray("f 1 ../../x\0a\0", 14) << false;
        QTest::newRow("no size") << head + "f x " + name + QByteArray("\0a\0", 3) << false;
        QTest::newRow("no kind") << head + "d 1 " + name + QByteArray("\0a\0", 3) << false;
    }
    void badTrees()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, good);
        QCOMPARE(contract::parseCodeTree(text.toStdString()).has_value(), good);
    }
};

TRAINYARD_TEST(TstCodeFiles)
#include "tst_codefiles.moc"
