// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/designertools.h"
#include "tests/gui/windowfixture.h"
#include "tests/helpers/fakevault.h"

namespace designertools
{

// A job with three secrets, which fails where two of them have other values.
inline const QByteArray keyringJob = "protocolVersion: 2\n"
                                     "name: with_secrets\n"
                                     "type: job\n"
                                     "prerequisites:\n"
                                     "  - {name: img, type: dockerimage, uri: x}\n"
                                     "secrets:\n"
                                     "  token: hush-hush-hush # of the team\n"
                                     "  pass: swordfish\n"
                                     "  pair: {user: a, key: b}\n"
                                     "taskRoles:\n"
                                     "  w:\n"
                                     "    instances: 1\n"
                                     "    dockerImage: img\n"
                                     "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n"
                                     "    commands:\n"
                                     "      - test \"<% $secrets.token %>\" = hush-hush\"\"-hush\n"
                                     "      - test \"<% $secrets.pass %>\" = sword\"\"fish && echo both are right\n";

// The same text as it is after the value of a secret was taken out.
inline QByteArray without(const QByteArray &name, const QByteArray &value)
{
    const QByteArray line = name + ": " + value;
    const QByteArray taken = name + ": '******'";
    QByteArray text = keyringJob;
    return text.replace(line, taken);
}

// A page whose secrets may move to a keyring, and the folders of a window.
class SecretsPage
{
protected:
    void show(const QByteArray &bytes = keyringJob)
    {
        page = std::make_unique<DesignerPage>();
        page->resize(1192, 820);
        page->newDocument(bytes, QStringLiteral("secrets.pai.yaml"));
        page->setSecretVault(&vault);
        page->show();
        page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(page.get()));
        settle(page.get()); // the form shows the text
    }
    WindowFixture m_fixture;
    FakeVault vault;
    std::unique_ptr<DesignerPage> page;
};

} // namespace designertools
